import { join } from "node:path";
import { firstParagraph, parseWholeGoal } from "../spec/goal.ts";
import type { Project } from "./project.ts";
import { readProjectFile } from "./project-file.ts";
import { type FileText, MAX_BYTES } from "./read.ts";
import type { Spec } from "./spec.ts";

/** A folder with documents: a spec's, or the project's own. */
export type DocumentPlace = Pick<Spec, "project" | "folder">;

/** Where Spec Kit keeps the constitution, which holds for all features. */
export const memoryOf = (project: Project): DocumentPlace => ({
  project,
  folder: join(project.root, ".specify", "memory"),
});

/** A document, by its file name. */
export const readDocument = (place: DocumentPlace, name: string): FileText =>
  readProjectFile(place.project, join(place.folder, name), MAX_BYTES.document);

export const hasDocument = (place: DocumentPlace, name: string): boolean =>
  readDocument(place, name).kind === "ok";

/** What the spec is for: as it was said at the beginning, or as its first document tells. */
export function readGoal(spec: Spec): string {
  const { layout } = spec.project;
  const progress = readDocument(spec, ".progress.md");
  const said = progress.kind === "ok" ? parseWholeGoal(progress.text) : "";
  if (said !== "") return said;
  for (const name of [layout.given, ...layout.phases.map(({ document }) => document)]) {
    const file = readDocument(spec, name);
    const told = file.kind === "ok" ? firstParagraph(file.text) : undefined;
    if (told !== undefined) return told;
  }
  return spec.name.replace(/^\d+-/, "").replaceAll("-", " ");
}

/** A Spec Kit project brings templates of its own, and may put others before them. */
export function readOwnTemplate(project: Project, document: string): string | undefined {
  if (project.layout.id !== "speckit") return undefined;
  const name = document.replace(/\.md$/, "-template.md");
  for (const folder of ["overrides/", ""]) {
    const path = join(project.root, ".specify", "templates", `${folder}${name}`);
    const file = readProjectFile(project, path, MAX_BYTES.document);
    if (file.kind === "ok" && file.text.trim() !== "") return file.text;
  }
  return undefined;
}
