import { realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { GitDirs } from "../store/git-files.ts";
import { lstatOf, textAt } from "../store/read.ts";
import { orElse } from "../text/or-else.ts";

/**
 * Whether the repository knows the folder as its work tree. A `.git` file or link may name any repository, but git also
 * records the way back: for a linked work tree in the tree's own folder, for a submodule in its configuration.
 */
export function isWorkTreeOf(git: GitDirs): boolean {
  const entry = join(git.top, ".git");
  if (lstatOf(entry)?.isDirectory() === true) {
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

const real = (path: string): string | undefined =>
  orElse(() => realpathSync.native(path), undefined);

const textOf = (path: string): string | undefined => textAt(path, 1 << 20);
