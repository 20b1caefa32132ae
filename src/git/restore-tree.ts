import { lstatSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { faultIn } from "../store/read.ts";
import { realPathOf } from "../store/vault-place.ts";
import { LONG } from "./own-tree.ts";
import { namesOf, runGit } from "./run.ts";

/** A move from one commit to another that may have stopped halfway, for example because the disk is full. */
export interface HalfMove {
  readonly mine: string;
  readonly commit: string;
  /** The files that differ between them. Before the move, they were as in `mine`. */
  readonly changed: readonly string[];
}

/** Makes files that git has written, wholly or in part, what they were before. Returns those that it could not. */
export function restoreTree(top: string, { mine, commit, changed }: HalfMove): string[] {
  const old = new Set(namesOf(runGit(top, ["ls-tree", "-r", "-z", "--name-only", mine], LONG).out));
  // Whoever else wrote one meanwhile keeps it.
  const ours = changed.filter((name) => isWritten(top, name, commit));
  // New ones first: on a full disk, the others need the room.
  for (const name of ours)
    if (!old.has(name)) faultIn(() => rmSync(join(top, name), { force: true }));
  const listed = (names: readonly string[]) => ({
    ...LONG,
    input: names.map((name) => `${name}\0`).join(""),
  });
  const from = ["--pathspec-from-file=-", "--pathspec-file-nul"];
  const isStaged = ["diff", "--cached", "--quiet", mine, "--"];
  if (ours.length > 0 && !runGit(top, [...isStaged, ...ours], LONG).ok)
    runGit(top, ["reset", "--quiet", ...from, mine], listed(ours));
  const known = ours.filter((name) => old.has(name));
  runGit(top, ["checkout-index", "--force", "-z", "--stdin"], listed(known));
  const differ = ["diff", "--name-only", "-z", "--no-renames", mine, "--", ...changed];
  const wrong = new Set(changed.length === 0 ? [] : namesOf(runGit(top, differ, LONG).out));
  return changed.filter(
    (name) => wrong.has(name) || (!old.has(name) && statOf(join(top, name)) !== undefined),
  );
}

/** Whether a file is missing, or is the beginning of what the commit has: git writes from the beginning. */
export function isWritten(top: string, name: string, commit: string): boolean {
  const path = join(top, name);
  const stat = statOf(path);
  if (stat === undefined) return true;
  // Behind a link, it is a different file.
  if (realPathOf(dirname(path)) !== dirname(path)) return false;
  if (!stat.isFile() && !stat.isSymbolicLink()) return false;
  const now = stat.isFile() ? readFileSync(path, "latin1") : readlinkSync(path, "latin1");
  const show = ["cat-file", stat.isFile() ? "--filters" : "blob", `${commit}:${name}`];
  const { ok, out } = runGit(top, show, { ...LONG, encoding: "latin1" });
  return ok && out.startsWith(now);
}

/** Nothing is there if a folder on the path is a file. */
function statOf(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
