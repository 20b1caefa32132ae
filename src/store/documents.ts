import { join } from "node:path";
import { MEMORY_FOLDER, type Phase } from "../layouts/layout.ts";
import { phasesOf } from "../layouts/phases.ts";
import type { State } from "../run/state.ts";
import { firstParagraph, parseGoal } from "../spec/goal.ts";
import { isShortPlan } from "../spec/short-plan.ts";
import { readProjectFile } from "./project-file.ts";
import type { Project } from "./project.ts";
import { type FileText, MAX_BYTES } from "./read.ts";
import type { Spec } from "./spec.ts";

/** A folder with documents: a spec's, or the project's own. */
export type DocumentPlace = Pick<Spec, "project" | "folder">;

/** Where the constitution is, which applies to all specs. */
export const memoryFolder = (project: Project): DocumentPlace => ({
  project,
  folder: join(project.root, MEMORY_FOLDER),
});

/** A document, by its file name. */
export const readDocument = (place: DocumentPlace, name: string): FileText =>
  readProjectFile(place.project, join(place.folder, name), MAX_BYTES.document);

export const hasDocument = (place: DocumentPlace, name: string): boolean =>
  readDocument(place, name).kind === "ok";

/** What the spec is for: as stated at the beginning, or else as its first document says. */
export function readGoal(spec: Spec): string {
  const { layout } = spec.project;
  const progress = readDocument(spec, ".progress.md");
  const said = progress.kind === "ok" ? parseGoal(progress.text) : "";
  if (said !== "") return said;
  for (const name of [layout.given, ...layout.phases.map(({ document }) => document)]) {
    const file = readDocument(spec, name);
    const goal = file.kind === "ok" ? firstParagraph(file.text) : undefined;
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
  const { phases, shortPhases, requirements } = spec.project.layout;
  const isLong = phases.some(
    ({ name, document }) =>
      !shortPhases.some((phase) => phase.name === name) && hasDocument(spec, document),
  );
  const file = isLong ? undefined : readDocument(spec, requirements);
  return file?.kind === "ok" && isShortPlan(file.text);
}

/** The phases of a spec. */
export const readPhases = (spec: Spec, state: State): readonly Phase[] =>
  phasesOf(spec.project.layout, { small: readSmall(spec, state) });

/** A project may have its own templates, and override them with others. */
export function readOwnTemplate(project: Project, document: string): string | undefined {
  const name = document.replace(/\.md$/, "-template.md");
  for (const folder of project.layout.templateFolders) {
    const path = join(project.root, folder, name);
    const file = readProjectFile(project, path, MAX_BYTES.document);
    if (file.kind === "ok" && file.text.trim() !== "") return file.text;
  }
  return undefined;
}
