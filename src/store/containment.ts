import { lstatSync, realpathSync } from "node:fs";
import { sep } from "node:path";
import { isMissing } from "./read.ts";

/** Where the files of a project may be. Paths are absolute. */
export interface Grounds {
  readonly root: string;
  /** Folders elsewhere that the user's own settings name. */
  readonly outside: readonly string[];
}

/** Below the project or a folder outside that the user has named, links followed. */
export const isContained = (project: Grounds, path: string): boolean =>
  liesIn(project, path, isBelow, plainIn(project));

/** The same, and true for those folders themselves. `isFresh`: looks again, as a folder may have become a link. */
export const isContainedOrSame = (project: Grounds, folder: string, isFresh: boolean): boolean =>
  liesIn(project, folder, isSameOrBelow, isFresh ? new Set() : plainIn(project));

/** Paths known to be free of links. A stop asks about the same few again and again. */
const plainPaths = new WeakMap<Grounds, Set<string>>();

function plainIn(project: Grounds): Set<string> {
  const plain = plainPaths.get(project) ?? new Set();
  plainPaths.set(project, plain);
  return plain;
}

function liesIn(
  project: Grounds,
  path: string,
  isIn: (path: string, base: string) => boolean,
  plain: Set<string>,
): boolean {
  const bases = [project.root, ...project.outside];
  const base = bases.find((folder) => isIn(path, folder));
  if (base !== undefined && (path === base || isPlain(base, path, plain))) return true;
  const real = realpathSync.native(path);
  return bases.some((folder) => {
    const realBase = realFolder(folder);
    return realBase !== undefined && isIn(real, realBase);
  });
}

/** Usually there is no link on the way, and checking for one costs less than resolving both paths. */
function isPlain(base: string, path: string, plain: Set<string>): boolean {
  for (let end = path.indexOf(sep, base.length + 1); ; end = path.indexOf(sep, end + 1)) {
    const part = end === -1 ? path : path.slice(0, end);
    const stat = plain.has(part) ? undefined : lstatSync(part, { throwIfNoEntry: false });
    if (!plain.has(part) && stat?.isSymbolicLink() !== false) return false;
    plain.add(part);
    if (end === -1) return true;
  }
}

/** By its name alone, for what does not exist. */
export const isNamedOutside = (project: Grounds, path: string): boolean =>
  [project.root, ...project.outside].every((folder) => !isBelow(path, folder));

export const isSameOrBelow = (path: string, folder: string): boolean =>
  path === folder || isBelow(path, folder);

export const isBelow = (path: string, folder: string): boolean =>
  path !== folder && path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

function realFolder(folder: string): string | undefined {
  try {
    return realpathSync.native(folder);
  } catch (error) {
    if (!isMissing(error)) throw error;
    return undefined;
  }
}
