import { listCheckpoints, writeCheckpoint } from "../git/checkpoint.ts";
import { planNames, readChanges } from "../git/working-tree.ts";
import { planBoundary } from "../run/claim/file-boundary.ts";
import type { HandOut } from "../run/hand-out.ts";
import type { Loop } from "../run/journal.ts";
import { planStanding } from "../run/progress-standing.ts";
import { type Checkpoint, selectCurrent } from "../run/undo.ts";
import { findGit } from "../store/git-files.ts";
import { writeProgressStanding } from "../store/progress.ts";
import { readAllEntries } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { parseFiles } from "../tasks/fields.ts";
import { groupOf } from "../tasks/groups.ts";
import type { Task, TaskList } from "../tasks/model.ts";

/** Says in `.progress.md` where the run is. Before the checkpoint, which notes what was uncommitted when a task began. */
export const writeStanding = (spec: Spec, list: TaskList, brief: HandOut): void =>
  writeProgressStanding(spec, planStanding(list, brief));

/**
 * Saves a checkpoint before the next tasks are tried: `undo` goes back to it, and what a task leaves uncommitted is
 * compared with it. Tasks that began earlier have one already, unless their run was killed before it could save it.
 */
export function writeAttempts(spec: Spec, brief: HandOut, ready: string | null = null): void {
  const begun = new Set(ready?.split(" "));
  const isBegun = ({ id, attempt }: HandOut["current"][number]): boolean =>
    begun.has(`${id}@${attempt}`);
  const kept = brief.current.some(isBegun)
    ? selectCurrent(listCheckpoints(spec), readAllEntries(spec))
    : [];
  for (const one of brief.current)
    if (!isBegun(one) || !kept.some(({ task }) => task === one.id))
      writeCheckpoint(spec, one.id, one.attempt);
}

/**
 * What changed since a task was handed out, besides the files that it and its group list. Undefined if git cannot tell.
 */
export function changesOutside(
  spec: Spec,
  list: TaskList,
  task: Task,
  loop: Loop,
): string[] | undefined {
  if (spec.project.settings.files === "off") return [];
  const listed = groupOf(list, task).map((one) => parseFiles(list, one));
  // Any change may be the work of a member that lists nothing.
  if (listed.length > 1 && listed.some((files) => files.length === 0)) return [];
  const files = listed.flat();
  const begun = listCheckpoints(spec).findLast((one) => one.task === task.id);
  const changed = changesSince(spec, begun, begun?.commit ?? loop.head);
  // Without a checkpoint there may be no commit to compare with.
  if (changed === undefined) return begun === undefined ? [] : undefined;
  return planBoundary({ files, changed, spec: spec.basePath }).outside;
}

function changesSince(
  spec: Spec,
  begun: Checkpoint | undefined,
  commit: string,
): string[] | undefined {
  const { root } = spec.project;
  const shown = planNames(findGit(root)?.top ?? root, root);
  // Files that were uncommitted before, and files that our own commands left.
  const without = new Set([
    ...(begun?.dirty ?? []).map(shown),
    ...readAllEntries(spec).flatMap(({ left = [] }) => left),
  ]);
  const since = begun === undefined ? {} : { begun: begun.at };
  return readChanges(root, commit, { ...since, without });
}
