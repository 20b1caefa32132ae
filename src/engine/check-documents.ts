import { renderTemplate } from "../prompts/documents.ts";
import { checkDocument, commonSections } from "../spec/check-document.ts";
import { checkCoverage, planCoverage } from "../spec/coverage.ts";
import { parseRequirements } from "../spec/requirements.ts";
import { type DocumentPlace, readDocument } from "../store/documents.ts";
import type { Spec } from "../store/spec.ts";
import { lintTasks } from "../tasks/lint/lint.ts";
import { parseTasks } from "../tasks/parse.ts";
import type { LineDiagnostic } from "../text/diagnostic.ts";
import { ownTemplateOf, readTemplateFacts } from "./spec-facts.ts";

/** A problem on a line of one of the spec's documents. */
export interface Finding extends LineDiagnostic {
  readonly target: string;
}

/** What is wrong with a document, by its structure alone. Its content is for people and reviewers to judge. */
export function checkDocumentOf(place: DocumentPlace, document: string): Finding[] {
  const { layout } = place.project;
  const file = readDocument(place, document);
  if (file.kind !== "ok") {
    const why = file.kind === "absent" ? "does not exist" : `cannot be read: ${file.why}`;
    return [missing(document, `${document} ${why}.`)];
  }
  const facts = readTemplateFacts(place, "");
  const template = renderTemplate(layout, document, facts);
  // Agents see a Spec Kit project's own template: a section that it lacks cannot be missing.
  const own = ownTemplateOf(place, document, facts);
  const isTasks = document === "tasks.md";
  const wanted = own === undefined ? template : commonSections(template, own);
  const here = [
    ...checkDocument(file.text, isTasks ? withoutSections(template) : wanted),
    ...(own === undefined ? [] : checkDocument(file.text, withoutSections(own))),
  ].map((found): Finding => ({ ...found, target: document }));
  const found = isTasks ? [...here, ...checkTasks(place, file.text)] : here;
  const seen = new Set<string>();
  return found.filter((one) => !seen.has(lineOf(one)) && seen.add(lineOf(one)));
}

export const lineOf = ({ target, line, message, fix }: Finding): string =>
  `${target}:${line} ${message} ${fix}`;

export const readFindings = (spec: Spec, document: string): string[] =>
  checkDocumentOf(spec, document).map(lineOf);

function checkTasks(place: DocumentPlace, text: string): Finding[] {
  const list = parseTasks(text);
  if (list.tasks.length === 0) return [missing("tasks.md", "tasks.md has no tasks.")];
  const document = place.project.layout.requirements;
  const asked = readDocument(place, document);
  const requirements = asked.kind === "ok" ? parseRequirements(asked.text) : [];
  return [
    ...lintTasks(list)
      .filter(({ severity }) => severity === "error")
      .map((found) => ({ ...found, target: "tasks.md" })),
    ...checkCoverage(planCoverage(requirements, list)).map(({ file, ...found }) => ({
      ...found,
      target: file === "tasks" ? "tasks.md" : document,
    })),
  ];
}

const missing = (target: string, message: string): Finding => ({
  severity: "error",
  code: "document-missing",
  message,
  fix: "Write it from its template.",
  line: 1,
  target,
});

/**
 * Each project chooses the phases of its task list and the sections of a foreign template. Placeholders in their
 * headings still have to be replaced.
 */
const withoutSections = (template: string): string => template.replace(/^#{1,6} /gm, "");
