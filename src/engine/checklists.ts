import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Phase } from "../layouts/layout.ts";
import { OWN_CHECKLIST, renderTemplate } from "../prompts/documents.ts";
import { type Checklist, describeChecklist, hasOpen } from "../spec/checklists.ts";
import { OPEN_POINTS } from "../spec/noted-items.ts";
import { formatPoint } from "../spec/open-points.ts";
import { readChecklists } from "../store/checklists.ts";
import { hasDocument } from "../store/documents.ts";
import { addProgressItems } from "../store/progress.ts";
import { makeProjectFolder, writeProjectFile } from "../store/project-file.ts";
import { faultIn } from "../store/read.ts";
import type { Spec } from "../store/spec.ts";
import type { Request } from "./request.ts";
import { readTemplateFacts } from "./spec-facts.ts";

/**
 * Begins the checklist about the requirements with the phase that writes these, every item open. One that exists stays
 * as it is. Returns why it could not be written.
 */
export function beginChecklist(request: Request, spec: Spec, phase: Phase): string | undefined {
  const { project, folder } = spec;
  const { checklists } = project.layout;
  if (checklists === undefined) return undefined;
  const name = `${checklists.folder}/${checklists.own}`;
  const path = join(folder, name);
  if (phase.beside?.includes(name) !== true || existsSync(path)) return undefined;
  const facts = readTemplateFacts(spec, request.now().at.slice(0, 10));
  return faultIn(() => {
    makeProjectFolder(project, join(folder, checklists.folder));
    writeProjectFile(project, path, renderTemplate(project.layout, OWN_CHECKLIST, facts));
  });
}

/** The checklists that a run should not begin without. Our own asks nothing about a document that nobody wrote. */
export function readGate(spec: Spec): Checklist[] {
  const { checklists, requirements } = spec.project.layout;
  const isWritten = hasDocument(spec, requirements);
  return readChecklists(spec).filter(({ name }) => isWritten || name !== checklists?.own);
}

/** A run that begins although checklists have open items says so to the end. Needs the spec's lock. */
export function noteOpen(spec: Spec, lists: readonly Checklist[]): void {
  const items = lists.filter(hasOpen).map((list) => ({
    phase: "implement",
    text: formatPoint({ kind: "risk", text: `begun with ${describeChecklist(list)}` }),
  }));
  if (items.length > 0) addProgressItems(spec, OPEN_POINTS, items);
}
