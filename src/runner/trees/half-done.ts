import { lstatSync } from "node:fs";
import { join } from "node:path";
import { Refusal } from "../../engine/refusal.ts";
import { namesIn, readTrunkRecord } from "../../engine/trunk-record.ts";
import { keepCommit } from "../../git/aside.ts";
import { keepTree, listLone, listUncommitted } from "../../git/keep-all.ts";
import { isWorkTreeOf } from "../../git/linked-work-tree.ts";
import { findNested } from "../../git/nested-repositories.ts";
import { headOf } from "../../git/own-tree.ts";
import { isSameOrBelow } from "../../store/containment.ts";
import { findGit, type GitDirs } from "../../store/git-files.ts";
import { isFolder } from "../../store/spec.ts";
import { realPathOf } from "../../store/vault-place.ts";
import { oneLine } from "../../text/template.ts";
import { partsOf } from "./parts.ts";
import { bookkeepingIn } from "./spec-files.ts";
import { refuseSubmoduleWork } from "./submodules.ts";
import { listTaskTrees } from "./task-tree.ts";
import type { Trunk } from "./trunk.ts";

/** What is uncommitted in a tree that is to be removed. Refuses what git cannot keep: work in other repositories. */
export function listLeft(trunk: Pick<Trunk, "home" | "spec">, git: GitDirs): string[] {
  const { top } = git;
  const isOurs = bookkeepingIn(trunk.spec);
  const names = listUncommitted(git).filter((name) => !isOurs(name));
  const nested = findNested(git);
  if (nested !== undefined)
    throw new Refusal(
      "refused",
      `${oneLine(nested, 200)} in ${top} is a repository of its own, which git cannot keep`,
      "move it away first",
    );
  refuseSubmoduleWork(trunk, git);
  return names;
}

/** The same for the trees of its tasks, which nobody names any more once they are removed. */
export function refuseInTasks(trunk: Trunk): void {
  for (const { top } of listTaskTrees(trunk.place, trunk.home.project.root)) {
    const git = isFolder(top) ? findGit(top) : undefined;
    if (git?.top === top) listLeft(trunk, git);
  }
}

export const hasFiles = (top: string): boolean => namesIn(top).length > 0;

/** An agent may have made the tree another repository's, in which nothing would be kept. */
export function requireTree(root: string, top: string): GitDirs {
  const git = findGit(top);
  const isOurs = git?.top === realPathOf(top) && git.common === findGit(root)?.common;
  if (git !== undefined && isOurs && isWorkTreeOf(git)) return git;
  throw new Refusal(
    "refused",
    `${top} is not a work tree of this repository any more, so git cannot keep what is there`,
    "move it away first",
  );
}

/**
 * Call before the tree of a run goes whose branch the user has: keeps what else is there under a ref, which is not proven
 * and so not taken. The branch that is checked out may be any, or none. Returns notes.
 */
export function keepHalfDone(trunk: Trunk): string[] {
  const { top, spec, home, place } = trunk;
  if (!hasFiles(top)) return [];
  const git = requireTree(home.project.root, top);
  const { members = {} } = readTrunkRecord(place) ?? {};
  const folders = partsOf(trunk, { files: {}, members }).map((one) => realPathOf(one.spec.folder));
  // A file that is gone has nothing to keep: a removal may have been interrupted.
  const left = listLeft(trunk, git).filter(
    (name) =>
      lstatSync(join(top, name), { throwIfNoEntry: false }) !== undefined &&
      !folders.some((folder) => isSameOrBelow(realPathOf(join(top, name)), folder)),
  );
  if (left.length === 0 && listLone(git).length === 0) return [];
  const heads = [headOf(top)].filter((one) => one !== undefined);
  const commit = keepTree(git, "set aside, take", { heads });
  const ref = commit === undefined ? undefined : keepCommit(spec, "take", commit);
  if (ref === undefined)
    throw new Refusal("broken", "git cannot keep what is uncommitted in the run's work tree");
  return [tellKept(ref)];
}

export const tellKept = (ref: string): string =>
  `Unfinished work was not taken; it is kept at ${ref}.`;
