import type { Command } from "./command.ts";
import { cancel } from "./commands/cancel.ts";
import { add, split } from "./commands/change.ts";
import { analyze, context } from "./commands/context.ts";
import { demo } from "./commands/demo.ts";
import { check, template } from "./commands/documents.ts";
import { doctor } from "./commands/doctor.ts";
import { done } from "./commands/done.ts";
import { epicAdd, epicNew, epicRemove, epicSwitch } from "./commands/epic.ts";
import { epicNext, epicStatus } from "./commands/epic-status.ts";
import { evidence } from "./commands/evidence.ts";
import { fail } from "./commands/fail.ts";
import { feedback } from "./commands/feedback.ts";
import { implement, resume } from "./commands/implement.ts";
import { index } from "./commands/index.ts";
import { next } from "./commands/next.ts";
import { approve, awaitApproval, pause } from "./commands/pause.ts";
import { phaseCommands } from "./commands/phases.ts";
import { repair } from "./commands/repair.ts";
import { tasksPrioritize } from "./commands/prioritize.ts";
import { newSpec, start } from "./commands/start.ts";
import { status } from "./commands/status.ts";
import { subagentStop } from "./commands/subagent-stop.ts";
import { submit } from "./commands/submit.ts";
import { switchSpec } from "./commands/switch.ts";
import { tasksLint, tasksList, tasksShow } from "./commands/tasks.ts";
import { trace } from "./commands/trace.ts";
import { triage } from "./commands/triage.ts";
import { undo } from "./commands/undo.ts";

/** Every command there is: `--help`, the reference and the dispatcher read this list. */
export const commands: readonly Command[] = [
  start,
  newSpec,
  ...phaseCommands,
  triage,
  switchSpec,
  implement,
  resume,
  pause,
  cancel,
  undo,
  epicSwitch,
  next,
  done,
  fail,
  split,
  add,
  awaitApproval,
  approve,
  repair,
  submit,
  template,
  context,
  check,
  analyze,
  epicNew,
  epicAdd,
  epicRemove,
  status,
  evidence,
  trace,
  tasksList,
  tasksShow,
  tasksLint,
  tasksPrioritize,
  epicStatus,
  epicNext,
  index,
  doctor,
  feedback,
  demo,
  subagentStop,
];
