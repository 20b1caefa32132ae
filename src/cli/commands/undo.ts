import { planBrief } from "../../core/brief.ts";
import { cacheOf } from "../../core/decide.ts";
import type { Disk } from "../../core/decision.ts";
import { slash } from "../../core/layout.ts";
import { beginLoop, currentLoop } from "../../core/loop.ts";
import { type Checkpoint, findStart, planCleared, undoneLoop } from "../../core/undo.ts";
import { oneLine } from "../../prompts/template.ts";
import { readWorkTree } from "../../store/changes.ts";
import {
  listCheckpoints,
  removeCheckpoints,
  undoneRef,
  writeRef,
  writeWorkTree,
} from "../../store/checkpoint.ts";
import { applyWrite, readAllEntries, readDisk, writeTasks } from "../../store/disk.ts";
import { withLock } from "../../store/lock.ts";
import { findRepository, type Repository } from "../../store/repository.ts";
import {
  isInHistory,
  keepOwn,
  readInTheWay,
  readSince,
  readUnfinished,
  runReset,
  type Since,
} from "../../store/rewind.ts";
import type { Spec } from "../../store/spec.ts";
import { clearBoxes } from "../../tasks/edit.ts";
