import { listDoubtful } from "../facts/outlook.ts";
import { phasesOf } from "../layouts/phases.ts";
import { renderTemplate } from "../prompts/documents.ts";
import { agreeToAll, agreeUnseen } from "../run/agreement.ts";
import { checkDocument, commonSections } from "../spec/check-document.ts";
import { checkCoverage, planCoverage } from "../spec/coverage.ts";
import { checkDelta } from "../spec/delta.ts";
import {
  type DocumentPlace,
  hasNoRequirements,
  isFolderName,
  listParts,
  readDocument,
  readRequirements,
} from "../store/documents.ts";
import type { Spec } from "../store/spec.ts";
import { lintTasks } from "../tasks/lint/lint.ts";
import type { TaskList } from "../tasks/model.ts";
import { parseTasks } from "../tasks/parse.ts";
import { checkBeside, type Finding } from "./check-beside.ts";
import { outlookOf } from "./outlook.ts";
import { ownTemplateOf, readTemplateFacts } from "./spec-facts.ts";

export type { Finding };

/** What is wrong with a document, by its structure alone. Its content is for people and reviewers to judge. */
export function checkDocumentOf(place: DocumentPlace, document: string): Finding[] {
  const { layout } = place.project;
  if (isFolderName(document)) return checkParts(place, document);
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
  const phases = phasesOf(layout, facts);
  const phase = phases.find((one) => one.document === document);
  // Nobody is there to answer in quick mode.
  const questions = facts.quick ? 0 : (phase?.questions ?? 0);
  const here = [
    ...checkDocument(file.text, isTasks ? withoutSections(template) : wanted, questions),
    ...(own === undefined ? [] : checkDocument(file.text, withoutSections(own), questions)),
  ].map((found): Finding => ({ ...found, target: document }));
  const found = [
    ...here,
    ...(isTasks ? checkTasks(place, file.text, facts.quick) : []),
    ...(phase === undefined ? [] : checkBeside(place, { phases, phase, text: file.text, facts })),
  ];
  const seen = new Set<string>();
  return found.filter((one) => !seen.has(lineOf(one)) && seen.add(lineOf(one)));
}

/** A document that is a folder: each of its files, by the folder's template. */
function checkParts(place: DocumentPlace, document: string): Finding[] {
  const parts = listParts(place, document);
  if (parts.length === 0)
    return hasNoRequirements(place)
      ? []
      : [missing(document, `There is no ${document}<capability>/spec.md.`)];
  const facts = readTemplateFacts(place, "");
  // Which sections a delta has depends on what it changes.
  const template = withoutSections(renderTemplate(place.project.layout, document, facts));
  return parts.flatMap((part): Finding[] => {
    const file = readDocument(place, part);
    if (file.kind !== "ok")
      return [
        missing(part, `${part} cannot be read${file.kind === "absent" ? "" : `: ${file.why}`}.`),
      ];
    const found = [...checkDocument(file.text, template), ...checkDelta(file.text)];
    return found.map((one) => ({ ...one, target: part }));
  });
}

export const lineOf = ({ target, line, message, fix }: Finding): string =>
  `${target}:${line} ${message} ${fix}`;

export const readFindings = (spec: Spec, document: string): string[] =>
  checkDocumentOf(spec, document).map(lineOf);

function checkTasks(place: DocumentPlace, text: string, isUnseen: boolean): Finding[] {
  const list = parseTasks(text);
  if (list.tasks.length === 0) return [missing("tasks.md", "tasks.md has no tasks.")];
  const document = place.project.layout.requirements;
  const { requirements } = readRequirements(place);
  return [
    ...lintTasks(list)
      .filter(({ severity }) => severity === "error")
      .map((found) => ({ ...found, target: "tasks.md" })),
    ...(place.project.settings.strict ? checkOutlook(place, list, isUnseen) : []),
    ...checkCoverage(planCoverage(requirements, list)).map(({ file, part, ...found }) => ({
      ...found,
      target: file === "tasks" ? "tasks.md" : (part ?? document),
    })),
  ];
}

/** A run that may not begin should be known while its list can be changed. In quick mode nobody declares a guard. */
function checkOutlook({ project }: DocumentPlace, list: TaskList, isUnseen: boolean): Finding[] {
  const outlook = outlookOf(project, list, isUnseen ? agreeUnseen(list) : agreeToAll(list));
  const lines = new Map(list.tasks.map(({ id, line }) => [id, line]));
  return listDoubtful(outlook).map(({ id, why }) => ({
    severity: "error",
    code: "not-provable",
    message: `${id} cannot be proven, and strict is on: ${why}.`,
    fix: "Give it a Verify that fails until its work is done.",
    line: lines.get(id) ?? 1,
    target: "tasks.md",
  }));
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
