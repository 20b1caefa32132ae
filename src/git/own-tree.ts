import { lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { findGit } from "../store/git-files.ts";
import { faultIn, statOf, textAt } from "../store/read.ts";
import { removeFile } from "../store/write.ts";
import { isWorkTreeOf } from "./linked-work-tree.ts";
import { lineFrom, MAY_FETCH, runGit, whyNot } from "./run.ts";

/** For a large repository on a slow disk: git must not be ended halfway. */
export const LONG = { timeoutMs: 600_000, env: MAY_FETCH } as const;

const BRANCHES = "refs/heads/";

/** The commit of a branch of this repository. */
export const commitOf = (root: string, branch: string): string | undefined =>
  findCommit(root, BRANCHES + branch);

export const headOf = (root: string): string | undefined => findCommit(root, "HEAD");

/** The full hash of a commit, by any name that git knows. */
export const findCommit = (root: string, name: string): string | undefined =>
  name.startsWith("-")
    ? undefined
    : lineFrom(root, ["rev-parse", "--verify", "--quiet", `${name}^{commit}`]);

export const isAncestor = (root: string, one: string, other: string): boolean =>
  runGit(root, ["merge-base", "--is-ancestor", one, other]).ok;

/** Whether the commit that is checked out has everything of a branch; so it does if the branch is gone. */
export function hasBranch(root: string, branch: string): boolean {
  const head = commitOf(root, branch);
  return head === undefined || isAncestor(root, head, "HEAD");
}

/** The newest commit that both contain. */
export const mergeBase = (root: string, one: string, other: string): string | undefined =>
  lineFrom(root, ["merge-base", one, other]);

/** Adds a work tree on a branch, which is created at `from` if needed. Returns why it failed, or undefined. */
export function addTree(
  root: string,
  top: string,
  branch: string,
  from: string,
): string | undefined {
  unlockBranch(root, branch);
  const isThere = commitOf(root, branch) !== undefined;
  const how = isThere ? [top, branch] : ["--no-track", "-b", branch, top, from];
  return whyNot(root, ["worktree", "add", "--quiet", ...how], LONG);
}

/** Removes the folder first: git fails if it cannot remove a file, but not without a folder. Returns the error. */
export function removeTree(root: string, top: string): string | undefined {
  const fault = faultIn(() => {
    const isFolder = lstatSync(top, { throwIfNoEntry: false })?.isDirectory() === true;
    // What makes it a work tree goes last: if we are killed, the rest can still be told from others' files.
    const names = isFolder ? readdirSync(top).filter((name) => name !== ".git") : [];
    for (const path of [...names.map((name) => join(top, name)), top])
      rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  });
  // Not `prune`, which also forgets the user's work trees on a disk that is not mounted.
  runGit(root, ["worktree", "remove", "--force", "--force", top], LONG);
  return fault;
}

export function removeBranch(root: string, branch: string): boolean {
  unlockBranch(root, branch);
  return runGit(root, ["branch", "--quiet", "-D", "--", branch]).ok;
}

/** Removes a lock that a killed git left on one of our branches: nobody else moves them. */
export function unlockBranch(root: string, branch: string): void {
  const git = findGit(root);
  if (git !== undefined)
    faultIn(() => removeFile(join(git.common, "refs", "heads", `${branch}.lock`)));
}

/** Whether a folder is a work tree of the repository in `root`, on that branch. */
export function isTreeOf(root: string, top: string, branch: string): boolean {
  const git = statOf(join(top, ".git"))?.isFile() === true ? findGit(top) : undefined;
  if (git === undefined || !isWorkTreeOf(git)) return false;
  const home = findGit(root);
  const { out } = runGit(top, ["symbolic-ref", "--quiet", "HEAD"]);
  return home?.common === git.common && out.trim() === BRANCHES + branch;
}

/**
 * Restores one of our branches after somebody has deleted it, at the last commit of its work tree. Undefined if that
 * commit is unknown or not on top of `base`.
 */
export function reviveBranch(
  root: string,
  top: string,
  branch: string,
  base: string,
): string | undefined {
  const git = statOf(join(top, ".git"))?.isFile() === true ? findGit(top) : undefined;
  if (git === undefined || !isWorkTreeOf(git) || findGit(root)?.common !== git.common)
    return undefined;
  const log = textAt(join(git.own, "logs", "HEAD"), 16 << 20) ?? "";
  const last = log.trimEnd().split("\n").at(-1) ?? "";
  // The last line may record the deletion, from a commit to zero.
  const known = last.match(/[0-9a-f]{40,64}(?= )/g)?.slice(0, 2) ?? [];
  const commit = headOf(top) ?? known.findLast((one) => !/^0+$/.test(one));
  if (commit === undefined || !isAncestor(root, base, commit)) return undefined;
  const ref = BRANCHES + branch;
  return runGit(root, ["update-ref", ref, commit, ""]).ok ? commitOf(root, branch) : undefined;
}
