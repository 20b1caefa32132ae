import { createHash } from "node:crypto";
import { lstatSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { findRepository } from "../../git/repository.ts";
import { withoutStanding } from "../../run/progress-standing.ts";
import {
  makeProjectFolder,
  readProjectFile,
  removeProjectFile,
  writeProjectFile,
} from "../../store/project-file.ts";
import { type Encoding, FileFault, MAX_BYTES } from "../../store/read.ts";
import type { Spec } from "../../store/spec.ts";

/** A file in a spec's folder; its name has forward slashes. */
export interface SpecFile {
  readonly name: string;
  readonly text: string;
  readonly encoding: Encoding;
  readonly hash: string;
}

/** A folder with more files is not a spec. */
const MAX_FILES = 2000;
const MAX_DEPTH = 8;

/** Every file of a spec, except locks and leftovers of killed processes. Links are not followed. */
export function readSpecFiles(spec: Spec): SpecFile[] {
  return listNames(spec).flatMap((name) => readSpecFile(spec, name) ?? []);
}

function listNames({ folder, project }: Spec): string[] {
  const names: string[] = [];
  const walk = (below: string, depth: number): void => {
    for (const one of entriesOf(join(folder, below))) {
      const name = below === "" ? one : `${below}/${one}`;
      const stat = lstatSync(join(folder, name), { throwIfNoEntry: false });
      if (isTemporary(project.layout.lockFile, one)) continue;
      if (stat?.isDirectory() === true && depth < MAX_DEPTH) walk(name, depth + 1);
      if (stat?.isFile() === true) names.push(name);
      if (names.length > MAX_FILES)
        throw new FileFault(folder, `it has more than ${MAX_FILES} files`);
    }
  };
  walk("", 0);
  return names;
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

const isTemporary = (lock: string, name: string): boolean =>
  name === ".git" || name === lock || name.startsWith(`${lock}.`) || /\.\d+\.tmp$/.test(name);

export function readSpecFile(spec: Spec, name: string): SpecFile | undefined {
  const path = join(spec.folder, name);
  const file = readProjectFile(spec.project, path, MAX_BYTES.tasks);
  if (file.kind === "absent") return undefined;
  if (file.kind === "unreadable") throw new FileFault(path, file.why);
  const { text, encoding } = file;
  // Our own lines in the notes are rewritten all the time.
  const hashed = path === spec.progress ? withoutStanding(text) : text;
  const hash = createHash("sha256").update(hashed, encoding).digest("hex").slice(0, 40);
  return { name, text, encoding, hash };
}

/** Writes a file into the same spec in another tree. */
export function writeSpecFile(to: Spec, { name, text, encoding }: SpecFile): void {
  const path = join(to.folder, name);
  const existing = readProjectFile(to.project, path, MAX_BYTES.tasks);
  if (existing.kind === "ok" && existing.text === text) return;
  makeProjectFolder(to.project, dirname(path));
  writeProjectFile(to.project, path, text, encoding);
}

export const removeSpecFile = (spec: Spec, name: string): void =>
  removeProjectFile(spec.project, join(spec.folder, name));

/** What is never a task's work, by its name relative to the top of the work tree. */
export const bookkeepingIn = (spec: Spec): ((name: string) => boolean) =>
  findRepository(spec)?.isBookkeeping ?? (() => false);
