import { join } from "node:path";
import { MEMORY_FOLDER } from "../layouts/layout.ts";
import { firstParagraph, parseGoal } from "../spec/goal.ts";
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
