import type { Phase } from "../layouts/layout.ts";
import { renderTemplate, type TemplateFacts } from "../prompts/documents.ts";
import { checkDocument } from "../spec/check-document.ts";
import { readListedFiles } from "../spec/listed-files.ts";
import { readClarifications } from "../spec/unresolved.ts";
import { readChecklists } from "../store/checklists.ts";
import { type DocumentPlace, isThere, readDocument } from "../store/documents.ts";
import type { LineDiagnostic } from "../text/diagnostic.ts";
import { oneLine } from "../text/template.ts";

/** A problem on a line of one of the spec's documents. */
export interface Finding extends LineDiagnostic {
  readonly target: string;
}

interface Checked {
  readonly phases: readonly Phase[];
  readonly phase: Phase;
  readonly text: string;
  readonly facts: TemplateFacts;
}

/** What is wrong around the document of a phase: in the files that belong to it, and in what it is based on. */
export const checkBeside = (place: DocumentPlace, checked: Checked): Finding[] => [
  ...checkListed(place, checked),
  ...checkFiles(place, checked),
  ...checkTicked(place, checked),
  ...checkAnswered(place, checked),
];

/** The tree in a plan lists what exists; later phases write their own. */
function checkListed(place: DocumentPlace, { phases, phase, text }: Checked): Finding[] {
  if (phase.beside === undefined) return [];
  const later = new Set(phases.slice(phases.indexOf(phase)).map(({ document }) => document));
  return readListedFiles(text)
    .filter(({ path, isFolder }) => !later.has(path) && !isThere(place, path, isFolder))
    .map(({ path, line }) => ({
      severity: "error",
      code: "listed-file-missing",
      message: `The tree lists ${path}, which does not exist.`,
      fix: "Write it; or, if the feature does not need it, take it out of the tree and say why below it.",
      line,
      target: phase.document,
    }));
}

/** Another tool may have given them other sections. */
function checkFiles(place: DocumentPlace, { phase, facts }: Checked): Finding[] {
  return (phase.beside ?? []).flatMap((name) => {
    const template = renderTemplate(place.project.layout, name, facts);
    const file = template === "" ? undefined : readDocument(place, name);
    if (file?.kind !== "ok") return [];
    return checkDocument(file.text, template.replace(/^#{1,6} /gm, "")).map((found) => ({
      ...found,
      target: name,
    }));
  });
}

const NO_QUESTIONS = /\bNEEDS CLARIFICATION\b/i;

/** The document's own checklist: whether anybody went through it, and one item that a program can judge. */
function checkTicked(place: DocumentPlace, { phase, text }: Checked): Finding[] {
  const { checklists } = place.project.layout;
  const target = `${checklists?.folder}/${checklists?.own}`;
  if (phase.beside?.includes(target) !== true) return [];
  const items = readChecklists(place).find(({ name }) => name === checklists?.own)?.items ?? [];
  const [question] = readClarifications(text);
  const ticked = items.filter(({ checked }) => checked);
  const wrong = question && ticked.find((item) => NO_QUESTIONS.test(item.text));
  return [
    ...(items[0] !== undefined && ticked.length === 0
      ? [
          {
            severity: "error",
            code: "checklist-untouched",
            message: "Nothing is ticked.",
            fix: `Hold ${phase.document} against each item, and tick those that are true of it.`,
            line: items[0].line,
            target,
          } as const,
        ]
      : []),
    ...(wrong === undefined
      ? []
      : [
          {
            severity: "error",
            code: "ticked-too-early",
            message: `It is ticked that no question is left, but ${phase.document}:${question?.line} asks one.`,
            fix: "Clear the box, or settle the question.",
            line: wrong.line,
            target,
          } as const,
        ]),
  ];
}

/** What is planned from a document with open questions is planned from a guess. */
function checkAnswered(place: DocumentPlace, { phases, phase }: Checked): Finding[] {
  const before = phases[phases.indexOf(phase) - 1];
  const file = before?.questions === undefined ? undefined : readDocument(place, before.document);
  if (before === undefined || file?.kind !== "ok") return [];
  return readClarifications(file.text).map(({ text, line }) => ({
    severity: "error",
    code: "needs-clarification",
    message: `It still asks: ${oneLine(text, 120)}`,
    fix: "Write the user's answer there in its place; if they gave none, decide and note it under Assumptions.",
    line,
    target: before.document,
  }));
}
