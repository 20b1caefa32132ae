import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { findGit, type GitDirs } from "../store/git-files.ts";
import { lstatOf, statOf, textAt } from "../store/read.ts";
import { orElse } from "../text/or-else.ts";

/** Where git runs, and the variables that name the repository there. */
export type GitPlace =
  | {
      readonly kind: "ok";
      readonly folder: string;
      readonly env: Readonly<Record<string, string>>;
    }
  | { readonly kind: "none"; readonly why: string };

/**
 * The repository that a folder belongs to, found by our own search. Git itself treats any folder with HEAD, objects and
 * refs as a repository and obeys its config: a cloned spec may be such a folder.
 */
export function findPlace(root: string): GitPlace {
  // As git does: the folder may be a link into another repository.
  const folder = orElse(() => realpathSync.native(root), undefined);
  if (folder === undefined) return { kind: "none", why: `fatal: there is no folder ${root}` };
  const git = findGit(folder);
  if (git === undefined) return { kind: "none", why: "fatal: not a git repository" };
  if (isOurs(git)) return { kind: "ok", folder, env: explicit(git) };
  // Git decides whether to trust another user's repository, but not if we name the repository explicitly.
  const trap = foldersBelow(git.top, folder).find(isBare);
  return trap === undefined
    ? { kind: "ok", folder, env: {} }
    : { kind: "none", why: `fatal: not a git repository: ${trap} only looks like one` };
}

function explicit(git: GitDirs): Record<string, string> {
  // The folder around several work trees may contain only a bare repository, and no files.
  return saysBare(git) ? { GIT_DIR: git.own } : { GIT_DIR: git.own, GIT_WORK_TREE: git.top };
}

/**
 * Whether everything on the way to the repository belongs to the user or root. Node cannot tell on Windows, where anyone
 * may create a `.git` at the root of the disk.
 */
function isOurs(git: GitDirs): boolean {
  const user = process.geteuid?.();
  if (user === undefined) return false;
  const link = lstatOf(join(git.top, ".git"));
  return [link, ...[git.top, git.own, git.common].map(statOf)].every(
    // If something is missing, git itself says so.
    (stat) => stat === undefined || stat.uid === user || stat.uid === 0,
  );
}

function foldersBelow(top: string, folder: string): string[] {
  const folders: string[] = [];
  for (let one = folder; one !== top && dirname(one) !== one; one = dirname(one)) folders.push(one);
  return folders;
}

/** What git would take for a bare repository. */
const isBare = (folder: string): boolean => {
  const has = (name: string): boolean => statOf(join(folder, name)) !== undefined;
  return has("HEAD") && (has("objects") || has("commondir"));
};

/** Whether `core.bare` is set. A linked work tree of a bare repository is not bare itself. */
const saysBare = ({ own, common }: GitDirs): boolean =>
  own === common && ["config", "config.worktree"].some((name) => bareIn(join(own, name)));

function bareIn(path: string): boolean {
  let isCore = false;
  let isBareHere = false;
  for (const line of (textAt(path, 1 << 20) ?? "").split("\n")) {
    const section = /^\s*\[([^\]]*)\]/.exec(line);
    if (section !== null) isCore = section[1]?.trim().toLowerCase() === "core";
    const rest = section === null ? line : line.slice(section[0].length);
    const bare = /^\s*bare\s*(?:=\s*"?(\w*)|$)/i.exec(rest);
    if (isCore && bare !== null) isBareHere = /^(?:true|yes|on|1)$/i.test(bare[1] ?? "true");
  }
  return isBareHere;
}
