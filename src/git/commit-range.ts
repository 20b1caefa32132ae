import { namesOf, runGit } from "./run.ts";

export interface RangeCommit {
  readonly commit: string;
  readonly subject: string;
  /** When it was committed, in seconds since 1970. */
  readonly time: number;
  /** The files that it changes, relative to the top; of a merge, only those that it changes itself. */
  readonly files: readonly string[];
}

/** Nobody would read more. */
export const MAX_COMMITS = 500;

/**
 * The newest commits from `base` to `end`, oldest first; without a base, from the very first commit. Undefined if git
 * cannot tell.
 */
export function readRange(top: string, base: string, end = "HEAD"): RangeCommit[] | undefined {
  // A checkpoint may have some other text in place of the commit, which must not be read as an option.
  if (!/^(?:[0-9a-f]{40,64})?$/.test(base)) return undefined;
  const walk = ["--topo-order", "--reverse", `--max-count=${MAX_COMMITS}`, "--no-show-signature"];
  const show = ["-c", "-z", "--no-renames", "--name-only", "--format=%x00%x00%H %ct %s"];
  const range = base === "" ? end : `${base}..${end}`;
  const log = ["-c", "log.showRoot=true", "log", ...walk, ...show, range, "--"];
  const { ok, out } = runGit(top, log);
  return ok ? out.split("\0\0\0").flatMap(parseCommit) : undefined;
}

function parseCommit(record: string): RangeCommit[] {
  const [head, ...names] = namesOf(record);
  if (head === undefined) return [];
  const [commit = "", time, ...words] = head.split(" ");
  const files = names.map((name) => name.replace(/^\n/, ""));
  return [{ commit, subject: words.join(" "), time: Number(time), files }];
}

/** How many commits there are, which may be more than `readRange` reads. */
export const countRange = (top: string, from: string, to: string): number =>
  Number(runGit(top, ["rev-list", "--count", `${from}..${to}`, "--"]).out);
