import { basename, join } from "node:path";
import { readCheckpoints } from "../git/checkpoint.ts";
import { findRepository } from "../git/repository.ts";
import { listDifferences, planNames, readWorkTree, touched } from "../git/working-tree.ts";
import { layouts } from "../layouts/all.ts";
import type { Entry } from "../run/journal.ts";
import { type Checkpoint, findStart, selectCurrent } from "../run/undo.ts";
import type { Spec } from "../store/spec.ts";
import type { Task } from "../tasks/model.ts";

/** The files of every layout that drive a run, wherever they are. */
export const DRIVING_FILES: ReadonlySet<string> = new Set(
  layouts.flatMap(({ stateFile, journalFile, lockFile, pointer }) => [
    stateFile,
    journalFile,
    lockFile,
    pointer,
  ]),
);

/**
 * Whether anything but our bookkeeping has changed since a task was first handed out, in the work tree or in commits. A
 * file that was uncommitted then counts if it was changed again or committed; one that our own commands left, or that was
 * there when its agent came, counts if it was committed. Undefined if git cannot tell.
 */
export function hasChanged(
  spec: Spec,
  { id }: Pick<Task, "id">,
  entries: readonly Entry[],
): boolean | undefined {
  const repository = findRepository(spec);
  if (repository === undefined) return undefined;
  const { git, isBookkeeping } = repository;
  const { top } = git;
  const tree = readWorkTree(top, { untracked: true });
  const known = readCheckpoints(repository);
  if (tree === undefined || "unread" in known) return undefined;
  const start = findBegin(selectCurrent(known, entries), id, entries);
  const changed = start && listDifferences(top, start.commit);
  if (start === undefined || changed === undefined) return undefined;
  const isWork = (name: string): boolean =>
    !isBookkeeping(name) && !DRIVING_FILES.has(basename(name));
  const shown = planNames(top, spec.project.root);
  const left = new Set(entries.flatMap((entry) => entry.left ?? []));
  const old = new Set([...(start.dirty ?? []), ...tree.untracked]);
  const isNew = (name: string): boolean =>
    isWork(name) &&
    !left.has(shown(name)) &&
    (!old.has(name) || touched(join(top, name), start.at));
  if ([...changed, ...tree.untracked].some(isNew)) return true;
  return listDifferences(top, start.base, "HEAD")?.some(isWork);
}

/** A task that was ticked by hand before it was handed out was begun earlier, nobody knows when. */
function findBegin(
  checkpoints: readonly Checkpoint[],
  id: string,
  entries: readonly Entry[],
): Checkpoint | undefined {
  const own = findStart(checkpoints, id, entries);
  if (own?.ticked.includes(id) !== true) return own;
  return checkpoints.findLast(({ at, ticked }) => at <= own.at && !ticked.includes(id)) ?? own;
}
