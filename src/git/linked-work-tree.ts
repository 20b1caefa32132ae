import { lstatSync, readdirSync, realpathSync, unlinkSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { GitDirs } from "../store/git-files.ts";
import { faultIn, isLink, readText } from "../store/read.ts";

/**
 * Whether the repository knows the folder as its work tree. A `.git` file or link may name any repository, but git also
 * records the way back: for a linked work tree in the tree's own folder, for a submodule in its configuration.
 */
export function isWorkTreeOf(git: GitDirs): boolean {
  const entry = join(git.top, ".git");
  if (lstatSync(entry, { throwIfNoEntry: false })?.isDirectory() === true) {
    return isSame(git.own, entry) && isSame(git.common, entry);
  }
  return isSame(git.own, git.common) ? isSubmodule(git) : isLinked(git, entry);
}

function isLinked({ own, common }: GitDirs, entry: string): boolean {
  const folder = dirname(real(own) ?? own);
  const isListed = basename(folder) === "worktrees" && isSame(dirname(folder), common);
  const back = textOf(join(own, "gitdir"))?.trim();
  return isListed && back !== undefined && isSame(resolve(own, back), entry);
}

function isSubmodule({ own, top }: GitDirs): boolean {
  const [, named] = /^[ \t]*worktree[ \t]*=(.*)$/m.exec(textOf(join(own, "config")) ?? "") ?? [];
  return named !== undefined && isSame(resolve(own, unquoted(named.trim())), top);
}

/**
 * Removes symbolic links from the folder in which git keeps the state of a linked work tree, and from the logs of our
 * branches: git would write to their targets. Git itself creates no links there.
 */
export function dropLinks(git: GitDirs): void {
  if (!isWorkTreeOf(git) || isSame(git.own, git.common)) return;
  const left = { count: MAX_ENTRIES };
  dropLinksIn(git.own, left);
  let log = join(git.common, "logs");
  for (const name of ["refs", "heads", "smart-ralph"]) {
    log = join(log, name);
    if (isLink(log)) faultIn(() => unlinkSync(log));
  }
  dropLinksIn(log, left);
}

/** More than git ever has there. */
const MAX_ENTRIES = 100_000;

function dropLinksIn(folder: string, left: { count: number }): void {
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return;
  }
  for (const entry of entries) {
    if (left.count-- <= 0) return;
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink()) faultIn(() => unlinkSync(path));
    else if (entry.isDirectory()) dropLinksIn(path, left);
  }
}

const unquoted = (value: string): string =>
  value.replace(/^"(.*)"$/, "$1").replace(/\\(["\\])/g, "$1");

const isSame = (one: string, other: string): boolean => {
  const place = real(one);
  return place !== undefined && place === real(other);
};

function real(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

function textOf(path: string): string | undefined {
  const file = readText(path, 1 << 20);
  return file.kind === "ok" ? file.text : undefined;
}
