import { lstatSync, realpathSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { findGit } from "../store/git-files.ts";
import { namesOf, reasonIn, runGit } from "./run.ts";

/** The commit that is checked out, and the files that differ from it, relative to the top of the repository. */
export interface WorkTree {
  readonly head: string;
  /** `(detached)` if no branch is checked out. */
  readonly branch: string;
  /** Tracked files that have changed. */
  readonly dirty: readonly string[];
  /** Files that git neither tracks nor ignores, if they were asked for. */
  readonly untracked: readonly string[];
  /** Files and folders that git ignores, if they were asked for. A folder ends with a slash. */
  readonly ignored?: readonly string[];
}

/** Why git gave no answer. It must not be treated as an empty answer. */
export interface Unread {
  readonly unread: string;
}

interface TreeOptions {
  readonly untracked: boolean;
  readonly ignored?: boolean;
  /** Also before the first commit: `head` is then empty, and all files are untracked. */
  readonly unborn?: boolean;
}

/** Undefined outside git and, unless it is asked for, before the first commit, or if git does not answer. */
export function readWorkTree(top: string, options?: TreeOptions): WorkTree | undefined {
  const tree = lookAtTree(top, options);
  return "unread" in tree ? undefined : tree;
}

/** The same, with the reason if git does not answer. */
export function lookAtTree(
  top: string,
  { untracked, ignored = false, unborn = false }: TreeOptions = { untracked: false },
): WorkTree | Unread {
  const { ok, out, err } = runGit(top, [
    "status",
    "--porcelain=v2",
    "--branch",
    "-z",
    `--untracked-files=${untracked ? "all" : "no"}`,
    ...(ignored ? ["--ignored=matching"] : []),
    "--no-renames",
  ]);
  const records = namesOf(out);
  const head = records.find((record) => record.startsWith("# branch.oid "))?.slice(13) ?? "";
  const isUnborn = head === "(initial)";
  if (!ok) return { unread: reasonIn(err) };
  if (isUnborn ? !unborn : !/^[0-9a-f]+$/.test(head)) return { unread: "there is no commit yet" };
  const branch = records.find((record) => record.startsWith("# branch.head "))?.slice(14) ?? "";
  const dirty = records.map(pathIn).filter((path) => path !== undefined);
  const marked = (mark: string): string[] =>
    records.filter((record) => record.startsWith(mark)).map((record) => record.slice(2));
  const others = marked("? ");
  if (isUnborn) return { head: "", branch, dirty: [], untracked: [...dirty, ...others] };
  return { head, branch, dirty, untracked: others, ...(ignored ? { ignored: marked("! ") } : {}) };
}

/** `1 .M N... 100644 100644 100644 <hash> <hash> path`; an unmerged file has two more fields. */
function pathIn(record: string): string | undefined {
  const fields = { "1": 8, u: 10 }[record.charAt(0)];
  return fields === undefined ? undefined : record.split(" ").slice(fields).join(" ");
}

export interface ChangesOptions {
  /** Names to leave out, for example those that were there before. */
  readonly without?: ReadonlySet<string>;
  /** ISO time. Untracked files that have not changed since are left out: no commit shows that they are old. */
  readonly begun?: string;
}

/**
 * What differs between a commit and the working tree: by commits since, staged, unstaged, and new files that git does
 * not ignore. Names are relative to the project, with forward slashes. Undefined if git cannot say.
 */
export function readChanges(
  projectRoot: string,
  since: string,
  { without = new Set(), begun }: ChangesOptions = {},
): string[] | undefined {
  const top = findGit(projectRoot)?.top;
  // The journal may have some other text in place of the commit, which must not be read as an option.
  if (top === undefined || !/^[0-9a-f]{7,64}$/.test(since)) return undefined;
  const changed = listDifferences(top, since);
  const untracked = runGit(top, ["ls-files", "--others", "--exclude-standard", "-z"]);
  if (changed === undefined || !untracked.ok) return undefined;
  const isNew = (name: string): boolean => begun === undefined || touched(join(top, name), begun);
  const names = [...changed, ...namesOf(untracked.out).filter(isNew)];
  const shown = names.map(planNames(top, projectRoot));
  return [...new Set(shown)].filter((name) => !without.has(name)).sort();
}

/** The names of tracked files that differ between commits, or between one and the work tree. Undefined if git cannot say. */
export function listDifferences(top: string, ...commits: readonly string[]): string[] | undefined {
  const options = ["--name-only", "-z", "--no-renames", "--no-ext-diff", "--no-textconv"];
  const { ok, out } = runGit(top, ["diff", ...options, ...commits, "--"]);
  return ok ? namesOf(out) : undefined;
}

/** Converts names relative to the repository into names relative to the project, with forward slashes. */
export function planNames(top: string, projectRoot: string): (name: string) => string {
  const below = relative(realpathSync(top), realpathSync(projectRoot));
  return (name) => (below === "" ? name : slashed(relative(below, name)));
}

/** Uses ctime, which no program can set: a copy of an old file is new. */
export function touched(path: string, begun: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat === undefined || stat.ctimeMs >= Date.parse(begun);
}

/** As git writes names. */
export const slashed = (path: string): string => path.split(sep).join("/");
