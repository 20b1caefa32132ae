import type { Edition, Phase } from "../layouts/layout.ts";
import type { SpecRef } from "../run/hand-out.ts";
import { quotePath } from "../text/quote.ts";
import { clean, fill, oneLine } from "../text/template.ts";
import assumeTemplate from "./phase-assume.md";
import { factsOf, type PhaseFacts } from "./phase-facts.ts";
import { goalOf, renderFindings } from "./phase.ts";
import { type NamedTemplate, renderShapes } from "./shapes.ts";
import unfinishedTemplate from "./unfinished.md";
import { wordsOf } from "./words.ts";
import writingTemplate from "./writing.md";
import writtenTemplate from "./written.md";

/** What the agent is told that writes a document: the facts, what the coordinator adds, and what is wrong so far. */
export function renderWriting(
  layout: Edition,
  facts: PhaseFacts,
  words: string,
  findings: readonly string[],
  templates: readonly NamedTemplate[] = [],
  /** The last agent that wrote it never ended: nobody knows whether it was finished. */
  isCutOff = false,
): string {
  const { spec, phase } = facts;
  const isThere = facts.documents.includes(phase.document);
  const wrong = isThere ? findings : [];
  const names = wordsOf(layout, spec);
  return fill(writingTemplate, {
    ...names,
    assume: facts.quick ? fill(assumeTemplate, names) : "",
    document: `${names["folder"]}/${phase.document}`,
    goal: goalOf(facts),
    facts: factsOf(layout, facts, "writer"),
    template: renderShapes(templates),
    findings:
      wrong.length > 0
        ? `\nIt is not finished yet:\n${renderFindings(wrong)}\n`
        : isThere && isCutOff
          ? CUT_OFF
          : "",
    words: ["", phase.name].includes(words.trim())
      ? ""
      : `From the coordinator:\n${clean(words).trim()}\n`,
  }).trimEnd();
}

const CUT_OFF =
  "\nIts last agent was stopped before it said that the file was finished, so you get it again. It passes its check: if nothing is missing, leave it as it is and end.\n";

/** What the coordinator is told about a document that an agent has just written. */
export function renderWritten(
  layout: Edition,
  { spec, phase, findings, isLast, left }: WrittenDocument,
): string {
  const document = `${quotePath(spec.basePath)}/${phase.document}`;
  if (findings.length === 0) {
    const said = left.map((one) => `- ${oneLine(one, 300)}\n`).join("");
    const words = { document, left: said === "" ? " " : ` Say this too:\n${said}` };
    return fill(writtenTemplate, words).trimEnd();
  }
  const advice = isLast
    ? "It was sent back several times: tell the user what is missing, and end your turn."
    : `Start \`${layout.voice.agent(phase.agent)}\` again: it is told this.`;
  return fill(unfinishedTemplate, {
    document,
    findings: renderFindings(findings),
    advice,
  }).trimEnd();
}

export interface WrittenDocument {
  readonly spec: SpecRef;
  readonly phase: Phase;
  readonly findings: readonly string[];
  readonly isLast: boolean;
  /** What the user should know about one that passed. */
  readonly left: readonly string[];
}
