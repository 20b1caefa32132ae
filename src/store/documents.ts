import { dirname, join } from "node:path";
import { MEMORY_FOLDER, type Phase } from "../layouts/layout.ts";
import { phasesOf } from "../layouts/phases.ts";
import type { State } from "../run/state.ts";
import { parseDelta } from "../spec/delta.ts";
import { firstParagraph, parseGoal } from "../spec/goal.ts";
import { parseRequirements, type Requirement } from "../spec/requirements.ts";
import { isShortPlan } from "../spec/small-goal.ts";
import { isContained, isContainedOrSame } from "./containment.ts";
import { readProjectFile } from "./project-file.ts";
import type { Project } from "./project.ts";
import { type FileText, MAX_BYTES, statOf } from "./read.ts";
import { isFolder, namesIn, shownPath, type Spec } from "./spec.ts";

/** A folder with documents: a spec's, or the project's own. */
export type DocumentPlace = Pick<Spec, "project" | "folder">;

/** Where the constitution is, which applies to all specs. */
export const memoryFolder = (project: Project): DocumentPlace => ({
  project,
  folder: join(project.root, MEMORY_FOLDER),
});

/** A document, by its file name. One that is a folder has the text of all its files. */
export function readDocument(place: DocumentPlace, name: string): FileText {
  const read = (file: string): FileText =>
    readProjectFile(place.project, join(place.folder, file), MAX_BYTES.document);
  if (!isFolderName(name)) return read(name);
  const files = listParts(place, name).map(read);
  const texts = files.flatMap((file) => (file.kind === "ok" ? [file.text] : []));
  const broken = files.find(({ kind }) => kind === "unreadable");
  if (broken !== undefined || texts.length === 0) return broken ?? { kind: "absent" };
  return { kind: "ok", text: texts.join("\n"), encoding: "utf8" };
}

export const isFolderName = (document: string): boolean => document.endsWith("/");

const PART = "spec.md";
/** More than anybody has, and no reason to read on. */
const MAX_PARTS = 500;
const MAX_DEPTH = 6;

/** The files of a document that is a folder, by their paths from the spec's folder, which say what each is about. */
export function listParts({ project, folder }: DocumentPlace, name: string): string[] {
  const parts: string[] = [];
  const walk = (at: string, depth: number): void => {
    for (const one of namesIn(join(folder, at))) {
      if (parts.length >= MAX_PARTS || !isContained(project, join(folder, at, one))) return;
      const path = `${at}${one}/`;
      if (statOf(join(folder, path, PART))?.isFile() === true) parts.push(path + PART);
      if (depth < MAX_DEPTH) walk(path, depth + 1);
    }
  };
  walk(name, 1);
  return parts;
}

/** What the tasks of a spec refer to, in whatever form its layout writes it. */
export function readRequirements(place: DocumentPlace): {
  readonly requirements: readonly Requirement[];
  readonly exists: boolean;
  readonly unreadable?: string;
} {
  const { requirements: name } = place.project.layout;
  const isSplit = isFolderName(name);
  const parts = isSplit ? listParts(place, name) : [name];
  const files = parts.map((part) => ({ part, file: readDocument(place, part) }));
  const broken = files.find(({ file }) => file.kind === "unreadable");
  const requirements = files.flatMap(({ part, file }) => {
    if (file.kind !== "ok") return [];
    if (!isSplit) return parseRequirements(file.text);
    return parseDelta(file.text, part.slice(name.length, -PART.length - 1), part);
  });
  const exists = files.some(({ file }) => file.kind === "ok");
  if (broken?.file.kind !== "unreadable") return { requirements, exists };
  const path = shownPath(place.project, join(place.folder, broken.part));
  return { requirements, exists, unreadable: `${path} cannot be read: ${broken.file.why}` };
}

/** Whether the spec itself says that it has no requirements. */
export function hasNoRequirements(place: DocumentPlace): boolean {
  const { noRequirements } = place.project.layout;
  if (noRequirements === undefined) return false;
  const file = readDocument(place, noRequirements.file);
  return file.kind === "ok" && noRequirements.says.test(file.text);
}

export const hasDocument = (place: DocumentPlace, name: string): boolean =>
  readDocument(place, name).kind === "ok";

/** Whether a file or folder is there; not one that is reached through a link out of the project. */
export function isThere(place: DocumentPlace, name: string, isDirectory: boolean): boolean {
  const path = join(place.folder, name);
  const folder = isDirectory ? path : dirname(path);
  if (!isFolder(folder) || !isContainedOrSame(place.project, folder, false)) return false;
  return statOf(path) !== undefined;
}

/** What the spec is for: as stated at the beginning, or else as its first document says. */
export function readGoal(spec: Spec): string {
  const { layout } = spec.project;
  const progress = readDocument(spec, ".progress.md");
  const said = progress.kind === "ok" ? parseGoal(progress.text) : "";
  if (said !== "") return said;
  for (const name of [layout.given, ...layout.phases.map(({ document }) => document)]) {
    const file = readDocument(spec, name);
    const goal = file.kind === "ok" ? firstParagraph(file.text, layout.goalSection) : undefined;
    if (goal !== undefined) return goal;
  }
  return spec.name.replace(/^\d+-/, "").replaceAll("-", " ");
}

/**
 * Whether a spec takes the short way. Without a state its documents tell: then the one that holds the requirements
 * holds the design too.
 */
export function readSmall(spec: Spec, state: State): boolean {
  if (state.small !== undefined || state.phase !== undefined) return state.small === true;
  const { phases, shortPhases } = spec.project.layout;
  const plan = shortPhases[0]?.document;
  const isLong = phases.some(
    ({ name, document }) =>
      !shortPhases.some((phase) => phase.name === name) && hasDocument(spec, document),
  );
  const file = isLong || plan === undefined ? undefined : readDocument(spec, plan);
  return file?.kind === "ok" && isShortPlan(file.text);
}

/** The phases of a spec. */
export const readPhases = (spec: Spec, state: State): readonly Phase[] =>
  phasesOf(spec.project.layout, { small: readSmall(spec, state) });
