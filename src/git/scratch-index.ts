import { join } from "node:path";
import type { GitDirs } from "../store/git-files.ts";
import { processName } from "../store/process-id.ts";
import { removeFile } from "../store/write.ts";
import { IDENTITY } from "./identity.ts";
import { lineFrom } from "./run.ts";

/** The file name of our own index in git's folder, followed by the process's name. */
export const INDEX = "smart-ralph-index";

export interface ScratchIndex {
  readonly path: string;
  /** Makes any git command use it. */
  readonly env: Readonly<Record<string, string>>;
  /** The line that git printed; undefined if it failed. */
  readonly run: (args: readonly string[], input?: string) => string | undefined;
  readonly commit: (tree: string, what: string, parents: readonly string[]) => string | undefined;
}

/** Lets git write trees and commits from our own index; the user's index stays as it is. */
export function withScratchIndex<T>(
  git: GitDirs,
  timeoutMs: number,
  work: (index: ScratchIndex) => T,
): T {
  const path = join(git.own, `${INDEX}.${processName()}`);
  const env = { ...IDENTITY, GIT_INDEX_FILE: path };
  const run: ScratchIndex["run"] = (args, input) => {
    const more = input === undefined ? {} : { input };
    return lineFrom(git.top, args, { timeoutMs, env, ...more });
  };
  const commit: ScratchIndex["commit"] = (tree, what, parents) => {
    const from = parents.flatMap((parent) => ["-p", parent]);
    return run(["commit-tree", tree, ...from, "-m", `smart-ralph: ${what}`]);
  };
  try {
    return work({ path, env, run, commit });
  } finally {
    removeFile(path);
    removeFile(`${path}.lock`);
  }
}
