import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { GitDirs } from "../store/git-files.ts";
import { readText } from "../store/read.ts";

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
