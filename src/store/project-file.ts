import { lstatSync, mkdirSync, realpathSync } from "node:fs";
import { dirname } from "node:path";
import { type Grounds, isHeld, isNamedOutside } from "./containment.ts";
import {
  codeOf,
  type Encoding,
  FileFault,
  type FileText,
  missing,
  readHeadOf,
  readTail,
  readText,
  type Vet,
} from "./read.ts";
import { appendLine, removeFile, writeWhole } from "./write.ts";

/*
 * The one door to the files of a project. A repository may hold a link in the place of any of them, or of a folder on
 * the way: what lies outside the project is neither read, nor written, nor removed. Links within it are followed.
 */

const LINK_OUT = "it is a link out of the project";
const LEADS_OUT = "it leads out of the project";

/** `vet` may have more against a file than that it lies elsewhere. */
export function readProjectFile(
  project: Grounds,
  path: string,
  maxBytes: number,
  vet: Vet = () => undefined,
): FileText {
  const isIn = inside(project, path);
  return readText(path, maxBytes, (stat) => isIn(stat) ?? vet(stat));
}

export const readProjectTail = (project: Grounds, path: string, bytes: number): FileText =>
  readTail(path, bytes, inside(project, path));

export const readProjectHead = (project: Grounds, path: string, bytes: number): FileText =>
  readHeadOf(path, bytes, inside(project, path));

/** Replaces a file whole. A link that leads out is replaced itself: nobody writes through it. */
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

/** Follows no link at all: nothing that grows line by line has ever been one. */
export function appendProjectLine(project: Grounds, path: string, line: string): void {
  refuseOutside(project, path);
  appendLine(path, line);
}

/** Removes a file; of a link, only the link. */
export function removeProjectFile(project: Grounds, path: string): void {
  refuseOutside(project, path);
  removeFile(path);
}

/** Makes a folder and those above it, none of them after a link that leads out. */
export function makeProjectFolder(project: Grounds, folder: string): void {
  const isGround = [project.root, ...project.outside].includes(folder);
  if (!isGround) {
    if (isNamedOutside(project, folder)) throw new FileFault(folder, LEADS_OUT);
    makeProjectFolder(project, dirname(folder));
    if (isLink(folder) && leadsOut(project, folder, true)) throw new FileFault(folder, LINK_OUT);
  }
  mkdirSync(folder, { recursive: true });
}

/** For what is there. Most files that are looked for are not: then nobody has to ask where their folders lead. */
function inside(project: Grounds, path: string): Vet {
  return (stat) => {
    if (!isKnown(project, dirname(path))) return LEADS_OUT;
    return stat.isSymbolicLink() && leadsOut(project, path, false) ? LINK_OUT : undefined;
  };
}

/** Folders that were looked at: a stop reads several files of one folder, and each of them twice. */
const known = new WeakMap<Grounds, Set<string>>();

function isKnown(project: Grounds, folder: string): boolean {
  const seen = known.get(project) ?? new Set();
  if (seen.has(folder)) return true;
  if (!holds(project, folder)) return false;
  known.set(project, seen.add(folder));
  return true;
}

/** Looks again each time: writing is rare, and what was a folder may have become a link. */
function refuseOutside(project: Grounds, path: string): void {
  if (!holds(project, dirname(path))) throw new FileFault(path, LEADS_OUT);
}

/** What is not there, locked or a loop cannot be opened either, and whoever tries is told why. */
function holds(project: Grounds, folder: string): boolean {
  try {
    return isHeld(project, folder);
  } catch (error) {
    if (!isNowhere(error)) throw error;
    return true;
  }
}

/** For a link; `ifNowhere` is the answer for one that leads to nothing, or to itself. */
function leadsOut(project: Grounds, path: string, ifNowhere: boolean): boolean {
  try {
    return !isHeld(project, path);
  } catch (error) {
    return isNowhere(error) ? ifNowhere : true;
  }
}

const isNowhere = (error: unknown): boolean =>
  missing(error) || ["EACCES", "ELOOP", "ENAMETOOLONG"].includes(codeOf(error));

function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  } catch {
    return false; // Whoever opens it is told why.
  }
}
