import { join } from "node:path";
import { findGit, type GitDirs, readBranch } from "../store/git-files.ts";
import { faultIn, statOf } from "../store/read.ts";
import { removeFile } from "../store/write.ts";
import { REFS, writeRef } from "./checkpoint.ts";
import { keepTree } from "./keep-all.ts";
import { readOperation } from "./operation.ts";
import { headOf, LONG, unlockBranch } from "./own-tree.ts";
import { runGit } from "./run.ts";

/**
 * Removes what a killed git left in one of our work trees: its locks and an unfinished merge or rebase. Nobody else
 * works there. The files are not restored: only the caller knows what they should be. Returns the ref that keeps what
 * the operation had.
 */
export function unlockTree(top: string): string | undefined {
  const git = findGit(top);
  if (git === undefined || statOf(join(top, ".git"))?.isFile() !== true) return undefined;
  for (const name of ["index.lock", "HEAD.lock"]) faultIn(() => removeFile(join(git.own, name)));
  const branch = readBranch(git);
  if (branch !== undefined) unlockBranch(top, branch);
  const busy = readOperation(git);
  if (busy !== "rebase" && busy !== "merge") return undefined;
  const ref = keepInterrupted(git);
  runGit(top, [busy, "--abort"], LONG);
  // A rebase whose own record is incomplete cannot be aborted.
  if (busy === "rebase" && readOperation(git) === "rebase") runGit(top, ["rebase", "--quit"], LONG);
  return ref;
}

/** Call before an operation is aborted: keeps all that is in the work tree. Returns the ref. */
export function keepInterrupted(git: GitDirs): string {
  const heads = [headOf(git.top)].filter((one) => one !== undefined);
  const commit = keepTree(git, "set aside, interrupted", { heads, mayMiss: true });
  const ref = `${REFS}/aside/interrupted%/${commit}`;
  if (commit === undefined || !writeRef(git.top, ref, commit))
    throw new Error(`git cannot keep what is in ${git.top}, so its ${readOperation(git)} stays`);
  return ref;
}
