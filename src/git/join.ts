import { join } from "node:path";
import { findGit } from "../store/git-files.ts";
import { readProjectFile } from "../store/project-file.ts";
import { statOf } from "../store/read.ts";
import { isAncestor, LONG, mergeBase } from "./own-tree.ts";
import { namesOf, runGit, whyNot } from "./run.ts";

/** The result of joining two lines of work in one of our work trees. */
export type Joined =
  | { readonly kind: "joined" }
  | { readonly kind: "conflict"; readonly files: readonly string[] }
  | { readonly kind: "failed"; readonly why: string };

/** Overrides the user's settings: no signatures that ask for a passphrase, no stashes, no other branches moved. */
const PLAIN = [
  "commit.gpgSign=false",
  "rerere.enabled=false",
  "rebase.autoStash=false",
  "rebase.updateRefs=false",
  "rebase.autoSquash=false",
  "merge.autoStash=false",
  "merge.conflictStyle=diff3",
].flatMap((one) => ["-c", one]);

/** Moves the commits that only this work tree has on top of `onto`. If that fails, nothing has changed. */
export function rebaseOnto(top: string, onto: string): Joined {
  const base = mergeBase(top, "HEAD", onto);
  if (base === undefined) return { kind: "failed", why: "they have no commit in common" };
  if (base === onto) return { kind: "joined" };
  const args = ["rebase", "--quiet", "--no-verify", "--onto", onto, base];
  const why = whyNot(top, [...PLAIN, ...args], LONG);
  if (why === undefined) return { kind: "joined" };
  const files = unmerged(top);
  runGit(top, ["rebase", "--abort"], LONG);
  return files.length > 0 ? { kind: "conflict", files } : { kind: "failed", why };
}

/** Merges a commit, and commits. With `keeps`, a conflict stays in the files; otherwise nothing has changed. */
export function mergeIn(
  top: string,
  commit: string,
  message: string,
  {
    keeps = false,
    isOurs = () => false,
  }: { readonly keeps?: boolean; readonly isOurs?: (name: string) => boolean } = {},
): Joined {
  if (isAncestor(top, commit, "HEAD")) return { kind: "joined" };
  const args = ["merge", "--quiet", "--no-ff", "--no-commit", "--no-verify", commit];
  const fault = whyNot(top, [...PLAIN, ...args], LONG);
  if (fault !== undefined && !isMerging(top)) return { kind: "failed", why: fault };
  for (const name of unmerged(top).filter(isOurs)) takeTheirs(top, name);
  const files = unmerged(top);
  if (files.length > 0) {
    if (!keeps) abortMerge(top);
    return { kind: "conflict", files };
  }
  const why = commitMerge(top, message);
  if (why === undefined) return { kind: "joined" };
  abortMerge(top);
  return { kind: "failed", why };
}

export const commitMerge = (top: string, message: string): string | undefined =>
  whyNot(top, [...PLAIN, "commit", "--quiet", "--no-verify", "-m", message], LONG);

const abortMerge = (top: string): void => void runGit(top, ["merge", "--abort"], LONG);

export const isMerging = (top: string): boolean => {
  const git = findGit(top);
  return git !== undefined && statOf(join(git.own, "MERGE_HEAD")) !== undefined;
};

/** Fast-forwards the branch that is checked out. Returns why it failed, or undefined; then nothing has changed. */
export function moveForward(top: string, commit: string): string | undefined {
  const args = ["merge", "--quiet", "--ff-only", "--no-verify", commit];
  const { ok, err, out } = runGit(top, ["-c", "merge.autoStash=false", ...args], LONG);
  return ok ? undefined : (err || out).trim();
}

export const unmerged = (top: string): string[] => [
  ...new Set(
    namesOf(runGit(top, ["diff", "--name-only", "-z", "--no-renames", "--diff-filter=U"]).out),
  ),
];

/** Takes the other side's version of a file, or removes it if it is removed there. */
function takeTheirs(top: string, name: string): void {
  const taken = runGit(top, ["checkout", "--quiet", "MERGE_HEAD", "--", name]);
  if (!taken.ok) runGit(top, ["rm", "--quiet", "--force", "--", name]);
}

const MARKER = /^(?:<{7}|\|{7}|>{7})(?: |\r?$)/m;

/** The files that still contain conflict markers. Files that are too long or not text are skipped. */
export const listMarked = (top: string, names: readonly string[]): string[] =>
  names.filter((name) => {
    const file = readProjectFile({ root: top, outside: [] }, join(top, name), 4 << 20);
    return file.kind === "ok" && MARKER.test(file.text);
  });
