import { readlinkSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import type { GitDirs } from "../store/git-files.ts";
import { entriesIn, faultIn } from "../store/read.ts";

/** Symbolic links in git's own folder, by their names below it, with their targets. */
export type GitLinks = Readonly<Record<string, string>>;

/** Folders in which git writes at any depth. In those of objects it creates files only by renaming. */
const DEEP = new Set("refs logs info worktrees reftable rebase-merge rebase-apply".split(" "));
const FLAT = new Set(["objects", "objects/info", "hooks"]);

/** The links at places where git writes, and in its folder for hooks. Git itself creates none. */
export function readGitLinks({ common }: Pick<GitDirs, "common">): GitLinks {
  const links: Record<string, string> = {};
  const walk = (name: string, isDeep: boolean): void => {
    for (const entry of entriesIn(join(common, name))) {
      const path = name === "" ? entry.name : `${name}/${entry.name}`;
      if (entry.isSymbolicLink())
        faultIn(() => void (links[path] = readlinkSync(join(common, path))));
      else if (entry.isDirectory() && (isDeep || DEEP.has(path) || FLAT.has(path)))
        walk(path, isDeep || DEEP.has(path));
    }
  };
  walk("", false);
  return links;
}

/** What has become a link, as `name -> target`: git would write there. Hooks are often links, and git only runs them. */
export const listNewGitLinks = (
  git: Pick<GitDirs, "common">,
  before: GitLinks,
): { readonly name: string; readonly target: string }[] =>
  Object.entries(readGitLinks(git))
    .filter(([name, target]) => before[name] !== target && !name.startsWith("hooks/"))
    .map(([name, target]) => ({ name, target }));

/** Removes them. Returns why the work of whoever made them is not accepted, if there were any. */
export function dropNewGitLinks(
  git: Pick<GitDirs, "common">,
  before: GitLinks,
): string | undefined {
  const links = listNewGitLinks(git, before);
  for (const { name } of links) faultIn(() => unlinkSync(join(git.common, name)));
  return links.length === 0
    ? undefined
    : `In git's own folder, these became links: ${tellGitLinks(links)}. They were removed, because git would write to their targets.`;
}

export const tellGitLinks = (links: ReturnType<typeof listNewGitLinks>): string =>
  links
    .slice(0, 3)
    .map(({ name, target }) => `.git/${name} to ${target}`)
    .join(", ") + (links.length > 3 ? ` and ${links.length - 3} more` : "");
