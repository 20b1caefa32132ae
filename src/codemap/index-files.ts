import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  makeProjectFolder,
  readProjectFile,
  readProjectBeginning,
  writeProjectFile,
} from "../store/project-file.ts";
import type { Project } from "../store/project.ts";
import { FileFault } from "../store/read.ts";
import { isFolder } from "../store/spec.ts";
import { type CodeIndex, parseIndex } from "./code-index.ts";
import { type ExternalSource, parseExternal } from "./external.ts";

/** The index is in the default specs folder, as in older versions, whose other files there stay. */
export const indexFolder = ({ specsDirs: [first], extras = first }: Project): string =>
  join(extras, ".index");
export const indexPage = (project: Project): string => join(indexFolder(project), "index.md");
export const indexState = (project: Project): string =>
  join(indexFolder(project), "index-state.json");
export const externalFolder = (project: Project): string => join(indexFolder(project), "external");

const MAX_INDEX = 64 << 20;
const MAX_EXTERNAL = 200;

export function readIndexText(project: Project, path: string): string {
  const file = readProjectFile(project, path, MAX_INDEX);
  if (file.kind === "unreadable") throw new FileFault(path, file.why);
  return file.kind === "ok" ? file.text : "";
}

export const readIndex = (project: Project): CodeIndex | undefined =>
  parseIndex(readIndexText(project, indexState(project)));

/** Writes a file of the index, and its folder. */
export function writeIndexFile(project: Project, path: string, text: string): void {
  makeProjectFolder(project, dirname(path));
  writeProjectFile(project, path, text);
}

/** What is recorded below `external/`, by us, by older versions and by hand. */
export function readExternal(project: Project): ExternalSource[] {
  const folder = externalFolder(project);
  if (!isFolder(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".md"))
    .sort()
    .slice(0, MAX_EXTERNAL)
    .flatMap((name) => {
      const file = readProjectBeginning(project, join(folder, name), 8 << 10);
      return file.kind === "ok" ? [parseExternal(name, file.text)] : [];
    });
}
