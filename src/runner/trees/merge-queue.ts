import { basename } from "node:path";
import { Refusal } from "../../engine/refusal.ts";
import { readTrunkRecord, writeTrunkRecord } from "../../engine/trunk-record.ts";
import { setAside } from "../../git/aside.ts";
import { commitPaths, listDirty } from "../../git/commit-paths.ts";
import { rewriteWithout } from "../../git/drop-files.ts";
import { type Joined, mergeIn, moveForward, rebaseOnto } from "../../git/join.ts";
import { headOf, isAncestor, LONG, mergeBase } from "../../git/own-tree.ts";
import { findRepository } from "../../git/repository.ts";
import { keepOwnFiles, runReset } from "../../git/reset-to-checkpoint.ts";
import { runGit } from "../../git/run.ts";
import { unlockTree } from "../../git/unlock-tree.ts";
import type { Checkpoint } from "../../run/undo.ts";
import { findGit } from "../../store/git-files.ts";
import { readTasks } from "../../store/spec-files.ts";
import { oneLine } from "../../text/template.ts";
import { bookkeepingIn, readSpecFiles, writeSpecFile } from "./spec-files.ts";
import type { TaskTree } from "./task-tree.ts";
import type { Trunk } from "./trunk.ts";

export type BroughtBack =
  /** The trunk moved from `before` to `after`, which are equal if the task committed nothing. */
  | { readonly kind: "merged"; readonly before: string; readonly after: string }
  | { readonly kind: "conflict"; readonly files: readonly string[] }
  | { readonly kind: "uncommitted"; readonly files: readonly string[] }
  | { readonly kind: "failed"; readonly why: string };

/**
 * Brings a task's work into the trunk: rebased onto it, or merged if the task's branch has a merge already. Boxes, notes
 * and state stay the trunk's. Only one task at a time; after an interruption it can be called again. `message` commits
 * what is uncommitted; without it, the result is `uncommitted`. What is `left` is neither committed nor in the way.
 */
export function bringBack(
  tree: TaskTree,
  message?: string,
  isLeft: (name: string) => boolean = () => false,
): BroughtBack {
  const { trunk, top } = tree;
  unlockTree(top);
  unlockTree(trunk.top);
  const isOurs = bookkeepingIn(tree.spec);
  const dirty = listDirty(top).filter((name) => !isOurs(name) && !isLeft(name));
  if (dirty.length > 0) {
    if (message === undefined) return { kind: "uncommitted", files: dirty };
    const why = commitPaths(top, dirty, message);
    if (why !== undefined) return { kind: "failed", why };
  }
  takeNotes(tree);
  const failed = dropBookkeeping(tree, isOurs);
  if (failed !== undefined) return { kind: "failed", why: failed };
  const before = requireHead(trunk.top);
  const joined = joinTrunk(tree, before, isOurs);
  if (joined.kind !== "joined") return joined;
  const after = requireHead(top);
  const why = advance(trunk, after);
  return why === undefined ? { kind: "merged", before, after } : { kind: "failed", why };
}

/** Takes the trunk back to where it was before a merge. The spec's own files stay as they are. */
export function undoMerge(trunk: Trunk, before: string): void {
  unlockTree(trunk.top);
  const repository = findRepository(trunk.spec);
  const checkpoint = checkpointAt(trunk, before);
  const restore = repository && keepOwnFiles(repository, trunk.spec, checkpoint);
  const why = repository === undefined ? "it is gone" : runReset(repository, checkpoint);
  restore?.();
  if (why !== undefined)
    throw new Refusal(
      "broken",
      `${trunk.top} cannot go back to ${before.slice(0, 9)}: ${oneLine(why, 300)}`,
    );
}

/** Records that a task is being merged, until `forgetMerge`: if we are killed, the next run undoes the merge. */
export function noteMerge({ place, top }: Trunk, task: string): void {
  const record = readTrunkRecord(place);
  if (record !== undefined)
    writeTrunkRecord(place, { ...record, merging: { task, before: requireHead(top) } });
}

/** Call when the merge is settled or undone. */
export function forgetMerge({ place }: Trunk): void {
  const record = readTrunkRecord(place);
  if (record !== undefined && record.merging !== null)
    writeTrunkRecord(place, { ...record, merging: null });
}

/** Undoes a merge that a killed run did not get to verify. Returns the ref that keeps what was there. */
export function undoUnsettled(trunk: Trunk): string | undefined {
  const merging = readTrunkRecord(trunk.place)?.merging ?? undefined;
  if (merging === undefined) return undefined;
  const tasks = readTasks(trunk.spec);
  const task =
    tasks.kind === "ok" ? tasks.list.tasks.find(({ id }) => id === merging.task) : undefined;
  const kept =
    task?.checked === true ? undefined : setAside(trunk.spec, checkpointAt(trunk, merging.before));
  if (kept?.kind === "failed") throw new Refusal("broken", `${trunk.top}: ${kept.why}`);
  forgetMerge(trunk);
  return kept?.kind === "kept" ? kept.aside.ref : undefined;
}

/** A checkpoint as if an attempt had begun at a commit, with nothing else in the tree. */
export const checkpointAt = ({ branch }: Pick<Trunk, "branch">, commit: string): Checkpoint => ({
  ref: "",
  task: "merge",
  attempt: 1,
  at: new Date(0).toISOString(),
  commit,
  base: commit,
  branch,
  ticked: [],
  dirty: [],
});

export function requireHead(top: string): string {
  const head = headOf(top);
  if (head === undefined) throw new Refusal("broken", `${top} has no commit that git can read`);
  return head;
}

/** Copies the task's own notes to the trunk; the engine merges them from there. */
function takeNotes({ spec, trunk }: TaskTree): void {
  for (const file of readSpecFiles(spec))
    if (basename(file.name).startsWith(".progress-task-")) writeSpecFile(trunk.spec, file);
}

function dropBookkeeping(
  { top, branch, trunk }: TaskTree,
  isOurs: (name: string) => boolean,
): string | undefined {
  const git = findGit(top);
  const base = mergeBase(top, requireHead(top), requireHead(trunk.top));
  if (git === undefined || base === undefined) return "git cannot tell where it began";
  const rewritten = rewriteWithout(git, branch, base, isOurs);
  if ("why" in rewritten) return rewritten.why;
  // What is uncommitted now is not the task's work, and it would be in the way.
  const { ok, err } = runGit(top, ["reset", "--quiet", "--hard", rewritten.head], LONG);
  return ok ? undefined : err.trim();
}

function joinTrunk(tree: TaskTree, onto: string, isOurs: (name: string) => boolean): Joined {
  const { top, task } = tree;
  if (isAncestor(top, onto, "HEAD")) return { kind: "joined" };
  const merges = runGit(top, ["rev-list", "--merges", "--count", `${onto}..HEAD`]);
  // Conflicts that were resolved in a merge would all come back in a rebase.
  return merges.out.trim() === "0"
    ? rebaseOnto(top, onto)
    : mergeIn(top, onto, mergeMessage(task), { isOurs });
}

export const mergeMessage = (task: string): string =>
  `Merge the run's branch into ${oneLine(task, 60)}`;

/** Moves the trunk forward. If files that a command left there are in the way, sets them aside first. */
function advance(trunk: Trunk, after: string): string | undefined {
  const first = moveForward(trunk.top, after);
  if (first === undefined) return undefined;
  const checkpoint = checkpointAt(trunk, requireHead(trunk.top));
  if (setAside(trunk.spec, checkpoint).kind !== "kept") return oneLine(first, 300);
  const second = moveForward(trunk.top, after);
  return second === undefined ? undefined : oneLine(second, 300);
}
