import { namesOf, runGit } from "./run.ts";

/** Those of the names, relative to `root`, that git knows; a deleted file too. */
export function listTracked(root: string, names: readonly string[]): ReadonlySet<string> {
  if (names.length === 0) return new Set();
  return new Set(namesOf(runGit(root, ["ls-files", "-z", "--", ...names]).out));
}
