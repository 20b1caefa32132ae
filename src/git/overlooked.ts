import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, relative, resolve } from "node:path";
import type { Overlooked } from "../run/undo.ts";
import { isSameOrBelow } from "../store/containment.ts";
import type { GitDirs } from "../store/git-files.ts";
import { lstatOf, textAt } from "../store/read.ts";
import { namesOf, reasonIn, runGit } from "./run.ts";
import type { ScratchIndex } from "./scratch-index.ts";
import { listTracked } from "./tracked.ts";
import { slashed, touched, type Unread } from "./working-tree.ts";

/** A file that git was told to overlook since a task began. */
export interface HiddenFile {
  readonly name: string;
  /** A flag in the index, or the rule that ignores it. */
  readonly by: { readonly flag: Flag } | Rule;
}

interface Rule {
  /** The file that has it: relative to the top, if it is below it. */
  readonly source: string;
  readonly line: number;
}

type Flag = "assume-unchanged" | "skip-worktree";

/** A tag is not the place for more. */
const MAX_KEPT = 1000;

/**
 * What git is told to overlook: by flags in the index, and by rules that are in no commit. Undefined if git cannot tell,
 * or if it is too much to keep.
 */
export function readOverlooked({ top, common }: GitDirs): Overlooked | undefined {
  const flagged = listFlagged(top);
  if ("unread" in flagged) return undefined;
  const flags = [...new Set(flagged.map(({ name }) => name).map(planMissing(top)))];
  const rules = [join(common, "info", "exclude"), userIgnoreFile(top)].flatMap(linesOf);
  return flags.length + rules.length > MAX_KEPT ? undefined : { flags, rules };
}

/** In a sparse checkout whole folders are missing: the folder stands for all of its files. */
function planMissing(top: string): (name: string) => string {
  const known = new Map<string, boolean>();
  return (name) =>
    foldersOf(name).find((folder) => {
      const isThere = known.get(folder) ?? existsSync(join(top, folder));
      known.set(folder, isThere);
      return !isThere;
    }) ?? name;
}

/** `a/` and `a/b/` for `a/b/c`. */
const foldersOf = (name: string): string[] =>
  [...name.matchAll(/\//g)].map(({ index }) => name.slice(0, index + 1));

function listFlagged(top: string): { readonly name: string; readonly flag: Flag }[] | Unread {
  const { ok, out, err } = runGit(top, ["ls-files", "-v", "-z"]);
  if (!ok) return { unread: reasonIn(err) };
  return namesOf(out)
    .filter((record) => /^[a-zS] /.test(record))
    .map((record) => ({
      name: record.slice(2),
      flag: /^s /i.test(record) ? "skip-worktree" : "assume-unchanged",
    }));
}

/** Lets git see again, in one of our own indexes, what flags hide. What a sparse checkout leaves out stays so. */
export function showFlagged({ top }: GitDirs, { run }: Pick<ScratchIndex, "run">): boolean {
  const flagged = listFlagged(top);
  if ("unread" in flagged) return false;
  const names = flagged.flatMap(({ name }) =>
    lstatOf(join(top, name)) === undefined ? [] : `${name}\0`,
  );
  const show = (flag: Flag): boolean =>
    run(["update-index", `--no-${flag}`, "-z", "--stdin"], names.join("")) !== undefined;
  return names.length === 0 || (show("assume-unchanged") && show("skip-worktree"));
}

function userIgnoreFile(top: string): string {
  const set = runGit(top, ["config", "--type=path", "--get", "core.excludesFile"]).out.trimEnd();
  const folder = process.env["XDG_CONFIG_HOME"] || join(homedir(), ".config");
  return set === "" ? join(folder, "git", "ignore") : resolve(top, set);
}

const linesOf = (path: string): string[] => linesIn(path).filter((line) => /^[^#]/.test(line));
const linesIn = (path: string): string[] => (textAt(path, 1 << 20) ?? "").split("\n");

export interface HidingTask {
  /** What was overlooked before: flags, and rules that are in no commit. */
  readonly before: Overlooked & { readonly at: string };
  /** When the task began: a rule that an earlier task committed is not new. */
  readonly began: {
    readonly at: string;
    readonly commit: string;
    readonly dirty: readonly string[];
  };
  readonly isListed: (name: string) => boolean;
  /** Our own files, or the client's. */
  readonly isOurs: (name: string) => boolean;
}

/**
 * The files that a new flag or a new rule hides from git; `ignored` is what git says it ignores. Names are relative to
 * the top. A rule that is committed, or that a tool keeps in a folder of its own, hides what was built: it counts only
 * against files that the task lists.
 */
export function listHidden(
  top: string,
  ignored: readonly string[],
  task: HidingTask,
): HiddenFile[] | Unread {
  const flagged = listFlagged(top);
  if ("unread" in flagged) return flagged;
  const rules = listRules(top, ignored);
  if ("unread" in rules) return rules;
  const known = new Set(task.before.flags);
  const isOld = (name: string): boolean =>
    known.has(name) || foldersOf(name).some((folder) => known.has(folder));
  const byFlag = flagged.filter(({ name }) => !isOld(name) && !task.isOurs(name));
  const byRule: HiddenFile[] = [];
  for (const { names, ...by } of rules) {
    const found = weighRule(top, by, names, task);
    if ("unread" in found) return found;
    byRule.push(...found.map((name) => ({ name, by })));
  }
  return [...byFlag.map(({ name, flag }) => ({ name, by: { flag } })), ...byRule];
}

/** The rules that ignore these files and folders. */
function listRules(
  top: string,
  names: readonly string[],
): (Rule & { readonly names: string[] })[] | Unread {
  if (names.length === 0) return [];
  const rules = new Map<string, Rule & { readonly names: string[] }>();
  // It cannot take names literally, but `./` leaves nothing to interpret.
  const env = { GIT_LITERAL_PATHSPECS: "0" };
  const input = names.map((name) => `./${name}\0`).join("");
  const { ok, out, err } = runGit(top, ["check-ignore", "-v", "-z", "--stdin"], { env, input });
  // Without a message it says that nothing is ignored any more.
  if (!ok && err !== "") return { unread: reasonIn(err) };
  const fields = out.split("\0");
  for (let i = 0; i + 3 < fields.length; i += 4) {
    const [from = "", line = "", , name = ""] = fields.slice(i, i + 4);
    const path = resolve(top, from);
    const source = isSameOrBelow(path, top) ? slashed(relative(top, path)) : path;
    const key = `${line} ${source}`;
    const rule = rules.get(key) ?? { source, line: Number(line), names: [] };
    rule.names.push(name.slice(2));
    rules.set(key, rule);
  }
  return [...rules.values()];
}

/** The files that count among those that a rule ignores; none if the rule is old. */
function weighRule(
  top: string,
  { source, line }: Rule,
  names: readonly string[],
  { before, began, isListed, isOurs }: HidingTask,
): string[] | Unread {
  const path = resolve(top, source);
  const isInTree = basename(source) === ".gitignore" && isSameOrBelow(path, top);
  if (isInTree && !touched(path, began.at)) return [];
  const text = linesIn(path)[line - 1];
  const old = isInTree
    ? runGit(top, ["cat-file", "blob", `${began.commit}:${source}`]).out.split("\n")
    : before.rules;
  if (text !== undefined && old.includes(text)) return [];
  const isHiding =
    !isInTree ||
    (!began.dirty.includes(source) &&
      listTracked(top, [source]).size === 0 &&
      listTracked(top, [dirname(source)]).size > 0);
  const which = ["--others", "--ignored", "--exclude-standard"];
  const { ok, out, err } = runGit(top, ["ls-files", "-z", ...which, "--", ...names]);
  if (!ok) return { unread: reasonIn(err) };
  const since = isInTree ? began.at : before.at;
  return namesOf(out).filter(
    (name) => !isOurs(name) && (isHiding || isListed(name)) && touched(join(top, name), since),
  );
}
