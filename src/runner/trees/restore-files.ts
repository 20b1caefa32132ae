import type { TrunkRecord } from "../../engine/trunk-record.ts";
import { isSettled } from "../../run/claim/settled.ts";
import { isRunFile } from "../../store/bookkeeping.ts";
import { readAllEntries, readTasks, writeTasks } from "../../store/spec-files.ts";
import { isFolder, type Spec } from "../../store/spec.ts";
import { setChecked } from "../../tasks/edit/tick.ts";
import type { Task } from "../../tasks/model.ts";
import { parseTasks } from "../../tasks/parse.ts";
import { partsOf } from "./parts.ts";
import { readSpecFile, readSpecFiles, writeSpecFile } from "./spec-files.ts";
import type { Trunk } from "./trunk.ts";

/** What a lost tree's branch does not have: files of the spec from the user's tree, ticks from the vault's journal. */
export function restoreFiles(
  lost: Pick<Trunk, "home" | "spec">,
  members: TrunkRecord["members"],
): void {
  for (const { home, spec } of partsOf(lost, { files: {}, members })) {
    for (const file of isFolder(home.folder) ? readSpecFiles(home) : [])
      if (isRunFile(home, file.name) || readSpecFile(spec, file.name) === undefined)
        writeSpecFile(spec, file);
    restoreTicks(spec);
  }
}

function restoreTicks(spec: Spec): void {
  const tasks = readTasks(spec);
  if (tasks.kind !== "ok") return;
  const entries = readAllEntries(spec);
  const done = tasks.list.tasks.filter((task) => !task.checked && isSettled(entries, task));
  const tick = (text: string, task: Task): string => setChecked(parseTasks(text), task, true);
  if (done.length > 0) writeTasks(spec, done.reduce(tick, tasks.list.lines.join("")));
}
