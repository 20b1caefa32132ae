import { lstatSync, realpathSync } from "node:fs";
import { sep } from "node:path";
import { missing } from "./read.ts";

/** Where the files of a project may lie. Paths are absolute. */
export interface Grounds {
  readonly root: string;
  /** Folders elsewhere that the user's own settings name. */
  readonly outside: readonly string[];
}

/** Below the project or a folder outside that the user has named, links followed. */
export const isContained = (project: Grounds, path: string): boolean =>
  liesIn(project, path, isBelow);

/** The same; and the folders themselves are too. */
export const isHeld = (project: Grounds, folder: string): boolean =>
  liesIn(project, folder, (path, base) => path === base || isBelow(path, base));

function liesIn(
  project: Grounds,
  path: string,
  isIn: (path: string, base: string) => boolean,
): boolean {
  const bases = [project.root, ...project.outside];
  const base = bases.find((folder) => isIn(path, folder));
  if (base !== undefined && (path === base || isPlain(base, path))) return true;
  const real = realpathSync.native(path);
  return bases.some((folder) => {
    const realBase = realFolder(folder);
    return realBase !== undefined && isIn(real, realBase);
  });
}

/** Whether no link is on the way: as a rule there is none, and to look costs less than to resolve both paths. */
function isPlain(base: string, path: string): boolean {
  for (let end = path.indexOf(sep, base.length + 1); ; end = path.indexOf(sep, end + 1)) {
    const part = end === -1 ? path : path.slice(0, end);
    const stat = lstatSync(part, { throwIfNoEntry: false });
    if (stat === undefined || stat.isSymbolicLink()) return false;
    if (end === -1) return true;
  }
}

/** By its name alone, for what does not exist. */
export const isNamedOutside = (project: Grounds, path: string): boolean =>
  [project.root, ...project.outside].every((folder) => !isBelow(path, folder));

export const isBelow = (path: string, folder: string): boolean =>
  path !== folder && path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

function realFolder(folder: string): string | undefined {
  try {
    return realpathSync.native(folder);
  } catch (error) {
    if (!missing(error)) throw error;
    return undefined;
  }
}
