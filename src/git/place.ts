import { lstatSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { findGit, type GitDirs } from "../store/git-files.ts";
import { readText, statOf } from "../store/read.ts";

/** Where git runs, and what it is told about the repository there. */
export type GitPlace =
  | {
      readonly kind: "ok";
      readonly folder: string;
      readonly env: Readonly<Record<string, string>>;
    }
  | { readonly kind: "none"; readonly why: string };

/**
 * The repository that a folder belongs to, by our own search. Git itself takes any folder with HEAD, objects and refs
 * for a repository and obeys the config in it: a spec that someone cloned may be such a folder.
 */
export function findPlace(root: string): GitPlace {
  let folder: string;
  try {
    // As git sees where it is: the folder may be a link into another repository.
    folder = realpathSync.native(root);
  } catch {
    return { kind: "none", why: `fatal: there is no folder ${root}` };
  }
  const git = findGit(folder);
  if (git === undefined) return { kind: "none", why: "fatal: not a git repository" };
  if (isOurs(git)) return { kind: "ok", folder, env: explicit(git) };
  // A repository of another user is for git to judge: told where it is, git would trust it without asking.
  const trap = foldersBelow(git.top, folder).find(isBare);
  return trap === undefined
    ? { kind: "ok", folder, env: {} }
    : { kind: "none", why: `fatal: not a git repository: ${trap} only looks like one` };
}

function explicit(git: GitDirs): Record<string, string> {
  // The folder around several work trees may hold nothing but a bare repository: there are no files to look after.
  return saysBare(git) ? { GIT_DIR: git.own } : { GIT_DIR: git.own, GIT_WORK_TREE: git.top };
}

/**
 * Whether everything that leads to the repository is the user's or root's. Node cannot tell that on Windows, where
 * anyone may make a `.git` at the top of the disk.
 */
function isOurs(git: GitDirs): boolean {
  const user = process.geteuid?.();
  if (user === undefined) return false;
  const link = lstatSync(join(git.top, ".git"), { throwIfNoEntry: false });
  return [link, ...[git.top, git.own, git.common].map(statOf)].every(
    // Git says itself what is wrong with one that is not there.
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
  const file = readText(path, 1 << 20);
  let isCore = false;
  let isBareHere = false;
  for (const line of file.kind === "ok" ? file.text.split("\n") : []) {
    const section = /^\s*\[([^\]]*)\]/.exec(line);
    if (section !== null) isCore = section[1]?.trim().toLowerCase() === "core";
    const rest = section === null ? line : line.slice(section[0].length);
    const bare = /^\s*bare\s*(?:=\s*"?(\w*)|$)/i.exec(rest);
    if (isCore && bare !== null) isBareHere = /^(?:true|yes|on|1)$/i.test(bare[1] ?? "true");
  }
  return isBareHere;
}
