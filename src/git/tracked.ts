import { namesOf, runGit } from "./run.ts";

/** The names, relative to `root`, that git tracks, including deleted files. */
export function listTracked(root: string, names: readonly string[]): ReadonlySet<string> {
  if (names.length === 0) return new Set();
  return new Set(namesOf(runGit(root, ["ls-files", "-z", "--", ...names]).out));
}

/**
 * Among the files that an agent left uncommitted, those that are clearly its work: files that git tracks or that its
 * task lists. Anything else may be garbage.
 */
export function pickClear(
  root: string,
  names: readonly string[],
  isListed: (name: string) => boolean,
): string[] {
  const tracked = listTracked(root, names);
  return names.filter((name) => tracked.has(name) || isListed(name));
}
