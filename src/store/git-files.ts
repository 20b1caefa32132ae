import { realpathSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { orElse } from "../text/or-else.ts";
import { statOf, textAt } from "./read.ts";

/** Git's own files, read directly: starting `git` would cost more than the whole hook. */
export interface GitDirs {
  /** The top of the work tree. */
  readonly top: string;
  /** This work tree's own folder, with HEAD. */
  readonly own: string;
  /** The repository's folder, with refs and info; the same, except in a linked work tree. */
  readonly common: string;
}

/** Tops of the repositories that were there when a run began. */
const pinned = new Set<string>();
/** Projects that were in no repository then. */
const barred = new Set<string>();

/**
 * From now on, no other repository counts below this top: an agent may create one there, and git obeys its config
 * outside every sandbox.
 */
export const pinTop = (top: string): void => addBoth(pinned, top);

/** The same where there was no repository: none counts, neither in this folder nor below it. */
export const barGit = (root: string): void => addBoth(barred, root);

function addBoth(folders: Set<string>, folder: string): void {
  folders.add(folder);
  folders.add(orElse(() => realpathSync.native(folder), folder));
}

export function findGit(start: string): GitDirs | undefined {
  let found: GitDirs | undefined;
  for (const folder of upwards(start)) {
    const isPinned = pinned.has(folder);
    const isBarred = barred.has(folder);
    if (isPinned || isBarred) found = undefined;
    const own = found === undefined && !isBarred ? gitFolder(join(folder, ".git")) : undefined;
    if (own !== undefined) found = gitDirs(folder, own);
    if (found !== undefined && (isPinned || pinned.size + barred.size === 0)) return found;
  }
  return found;
}

/** The repository of exactly this folder, whether it counts or not. Read its files: git would obey its config. */
export function gitIn(folder: string): GitDirs | undefined {
  const own = gitFolder(join(folder, ".git"));
  return own === undefined ? undefined : gitDirs(folder, own);
}

/** The repositories around a folder that do not count, because they were created below a pinned one. */
export function listUnpinned(start: string): string[] {
  const unpinned: string[] = [];
  const found: string[] = [];
  for (const folder of upwards(start)) {
    if (pinned.has(folder)) unpinned.push(...found.splice(0));
    else if (gitFolder(join(folder, ".git")) !== undefined) found.push(folder);
  }
  return unpinned;
}

function* upwards(start: string): Generator<string> {
  for (let folder = start; ; folder = dirname(folder)) {
    yield folder;
    if (dirname(folder) === folder) return;
  }
}

/** Lazy, because finding the common folder costs another file access, and many callers need only the top. */
const gitDirs = (top: string, own: string): GitDirs => ({
  top,
  own,
  get common() {
    return commonFolder(own);
  },
});

/** As git does it: a folder without HEAD is not a repository and the search continues; a file always ends it. */
function gitFolder(path: string): string | undefined {
  const stat = statOf(path);
  if (stat === undefined) return undefined;
  if (stat.isDirectory()) return statOf(join(path, "HEAD")) === undefined ? undefined : path;
  const text = pathIn(path);
  if (text === undefined) return undefined;
  const link = /^gitdir:\s*(\S.*)$/s.exec(text)?.[1];
  // A file that names no folder must not resolve to the folder it is in.
  return link === undefined ? path : absolute(dirname(path), link);
}

function commonFolder(own: string): string {
  const link = pathIn(join(own, "commondir"));
  return link === undefined ? own : absolute(own, link);
}

/** The commit that is checked out, or a text that changes with it; empty outside a repository. */
export function readHead(git: GitDirs | undefined): string {
  if (git === undefined) return "";
  const head = firstLine(join(git.own, "HEAD")) ?? "";
  if (!head.startsWith("ref: ")) return head.slice(0, MAX_HEAD);
  const ref = head.slice("ref: ".length);
  // In a linked work tree, branches are in the common folder.
  const commit = (firstLine(join(git.own, ref)) ?? firstLine(join(git.common, ref)))?.slice(
    0,
    MAX_HEAD,
  );
  // Packed refs and reftables are not searched: all that matters here is whether they changed.
  const name = ref.slice(0, MAX_HEAD);
  return commit ?? `${name} ${stampOf(git, "packed-refs")} ${stampOf(git, "reftable/tables.list")}`;
}

/** Every journal line contains it twice, and has to stay short. */
const MAX_HEAD = 300;

/** The branch that is checked out; none with a detached HEAD or outside a repository. */
export function readBranch(git: GitDirs | undefined): string | undefined {
  const head = git === undefined ? undefined : firstLine(join(git.own, "HEAD"));
  return /^ref: refs\/heads\/(.+)$/.exec(head ?? "")?.[1];
}

function stampOf(git: GitDirs, file: string): string {
  const stat = statOf(join(git.common, file));
  return stat === undefined ? "-" : `${stat.mtimeMs}.${stat.size}`;
}

/** No path is longer. */
const firstLine = (path: string): string | undefined =>
  textAt(path, 64 << 10)
    ?.split("\n", 1)[0]
    ?.trim()
    .slice(0, 4096);

/** The whole text, as git reads it: a folder's name may contain a line feed. */
const pathIn = (path: string): string | undefined =>
  textAt(path, 64 << 10)
    ?.trim()
    .slice(0, 4096);

const absolute = (folder: string, path: string): string =>
  isAbsolute(path) ? path : join(folder, path);
