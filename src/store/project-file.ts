import { mkdirSync, realpathSync, renameSync } from "node:fs";
import { dirname } from "node:path";
import { type Grounds, isContainedOrSame, isNamedOutside } from "./containment.ts";
import {
  codeOf,
  type Encoding,
  FileFault,
  type FileText,
  isLink,
  isMissing,
  readBeginning,
  readTail,
  readText,
  type FileCheck,
} from "./read.ts";
import { appendLine, removeFile, writeWhole } from "./write.ts";

/*
 * The only way to open a project's files. A repository may have a link in place of any of them, or of a folder on the
 * way: nothing outside the project is read, written or removed. Links within it are followed.
 */

const LINK_OUT = "it is a link out of the project";
const LEADS_OUT = "it leads out of the project";

/** `check` may have other reasons to refuse a file. */
export function readProjectFile(
  project: Grounds,
  path: string,
  maxBytes: number,
  check: FileCheck = () => undefined,
): FileText {
  const isIn = inside(project, path);
  return readText(path, maxBytes, (stat) => isIn(stat) ?? check(stat));
}

export const readProjectTail = (project: Grounds, path: string, bytes: number): FileText =>
  readTail(path, bytes, inside(project, path));

export const readProjectBeginning = (project: Grounds, path: string, bytes: number): FileText =>
  readBeginning(path, bytes, inside(project, path));

/** Replaces a whole file. A link that leads out is replaced, not written through. */
export function writeProjectFile(
  project: Grounds,
  path: string,
  text: string,
  encoding: Encoding = "utf8",
): void {
  refuseOutside(project, path);
  const isThrough = isLink(path) && !leadsOut(project, path, true);
  writeWhole(isThrough ? realpathSync(path) : path, text, encoding);
}

/** Follows no link at all: no file that grows line by line is ever one. */
export function appendProjectLine(project: Grounds, path: string, line: string): void {
  refuseOutside(project, path);
  appendLine(path, line);
}

/** Removes a file; of a link, only the link. */
export function removeProjectFile(project: Grounds, path: string): void {
  refuseOutside(project, path);
  removeFile(path);
}

/** Creates a folder and those above it, none of them through a link that leads out. */
export function makeProjectFolder(project: Grounds, folder: string): void {
  const isGround = [project.root, ...project.outside].includes(folder);
  if (!isGround) {
    if (isNamedOutside(project, folder)) throw new FileFault(folder, LEADS_OUT);
    makeProjectFolder(project, dirname(folder));
    if (isLink(folder) && leadsOut(project, folder, true)) throw new FileFault(folder, LINK_OUT);
  }
  mkdirSync(folder, { recursive: true });
}

/** Moves a folder, neither from nor to a place outside. */
export function moveProjectFolder(project: Grounds, from: string, to: string): void {
  for (const path of [from, to]) refuseOutside(project, path);
  renameSync(from, to);
}

/** Called only for files that exist. Most do not, and then it does not matter where their folders lead. */
function inside(project: Grounds, path: string): FileCheck {
  return (stat) => {
    if (!isWithin(project, dirname(path), false)) return LEADS_OUT;
    return stat.isSymbolicLink() && leadsOut(project, path, false) ? LINK_OUT : undefined;
  };
}

/** Looks again each time: writing is rare, and a folder may have become a link. */
function refuseOutside(project: Grounds, path: string): void {
  if (!isWithin(project, dirname(path), true)) throw new FileFault(path, LEADS_OUT);
}

/** What is missing, locked or a loop cannot be opened either, and opening it says why. */
function isWithin(project: Grounds, folder: string, isFresh: boolean): boolean {
  try {
    return isContainedOrSame(project, folder, isFresh);
  } catch (error) {
    if (!isNowhere(error)) throw error;
    return true;
  }
}

/** For a link; `ifNowhere` is the answer for one that leads to nothing, or to itself. */
function leadsOut(project: Grounds, path: string, ifNowhere: boolean): boolean {
  try {
    return !isContainedOrSame(project, path, true);
  } catch (error) {
    return isNowhere(error) ? ifNowhere : true;
  }
}

const isNowhere = (error: unknown): boolean =>
  isMissing(error) || ["EACCES", "ELOOP", "ENAMETOOLONG"].includes(codeOf(error));
