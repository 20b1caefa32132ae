import { join } from "node:path";
import type { GitDirs } from "../store/git-files.ts";
import { runGit } from "./run.ts";
import { removeFile } from "../store/write.ts";

/** An index of our own in git's folder has this name, and the number of its process behind it. */
export const INDEX = "smart-ralph-index";

/** People who never told git their name have checkpoints too. */
export const NAME = "Smart Ralph";
export const EMAIL = "smart-ralph@localhost";
const IDENTITY = {
  GIT_AUTHOR_NAME: NAME,
  GIT_AUTHOR_EMAIL: EMAIL,
  GIT_COMMITTER_NAME: NAME,
  GIT_COMMITTER_EMAIL: EMAIL,
};

export interface OwnIndex {
  readonly path: string;
  /** The line that git printed, or nothing if it failed. */
  readonly run: (args: readonly string[], input?: string) => string | undefined;
  readonly commit: (tree: string, what: string, parents: readonly string[]) => string | undefined;
}

/** Lets git write trees and commits from an index of our own: the user's stays as it is. */
export function withIndex<T>(git: GitDirs, timeoutMs: number, work: (index: OwnIndex) => T): T {
  const path = join(git.own, `${INDEX}.${process.pid}`);
  const env = { ...IDENTITY, GIT_INDEX_FILE: path };
  const run: OwnIndex["run"] = (args, input) => {
    const more = input === undefined ? {} : { input };
    const { ok, out } = runGit(git.top, args, { timeoutMs, env, ...more });
    return ok ? out.trim() : undefined;
  };
  const commit: OwnIndex["commit"] = (tree, what, parents) => {
    const from = parents.flatMap((parent) => ["-p", parent]);
    return run(["commit-tree", tree, ...from, "-m", `smart-ralph: ${what}`]);
  };
  try {
    return work({ path, run, commit });
  } finally {
    removeFile(path);
    removeFile(`${path}.lock`);
  }
}
