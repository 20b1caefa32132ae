import { namesOf, runGit } from "./run.ts";

/** Those of the names, relative to `root`, that git knows; a deleted file too. */
export function listTracked(root: string, names: readonly string[]): ReadonlySet<string> {
  if (names.length === 0) return new Set();
  return new Set(namesOf(runGit(root, ["ls-files", "-z", "--", ...names]).out));
}

/**
 * What is clearly the work of an agent that left these uncommitted: files that git knows, and those that its task lists.
 * Anything else may be rubbish.
 */
export function pickClear(
  root: string,
  names: readonly string[],
  isListed: (name: string) => boolean,
): string[] {
  const tracked = listTracked(root, names);
  return names.filter((name) => tracked.has(name) || isListed(name));
}
