import type { Edition, Phase } from "../layouts/layout.ts";
import { commandAfter } from "../layouts/phases.ts";
import type { SpecRef } from "../run/hand-out.ts";
import { LIMITS } from "../run/state.ts";
import type { Intent } from "../spec/intent.ts";
import type { Granularity } from "../tasks/granularity.ts";
import { quotePath } from "../text/quote.ts";
import { clean, fill, oneLine } from "../text/template.ts";
import approveTemplate from "./phase-approve.md";
import askTemplate from "./phase-ask.md";
import assumeTemplate from "./phase-assume.md";
import backTemplate from "./phase-back.md";
import onwardsTemplate from "./phase-onwards.md";
import topicsText from "./phase-topics.md";
import phaseTemplate from "./phase.md";
import unfinishedTemplate from "./unfinished.md";
import { wordsOf } from "./words.ts";
import writingTemplate from "./writing.md";
import writtenTemplate from "./written.md";

/** What is known about a spec when a phase begins. */
export interface PhaseFacts {
  readonly spec: SpecRef;
  readonly phase: Phase;
  readonly goal: string;
  readonly quick: boolean;
  readonly intent: Intent;
  readonly granularity: Granularity;
  /** Documents of the spec that exist. */
  readonly documents: readonly string[];
  /** Lines that say what else is worth reading. */
  readonly hints: readonly string[];
}

const MAX_GOAL = 2000;
const MAX_FINDINGS = 12;

/** The prompt that starts the agent on a phase. */
export function renderPhase(layout: Edition, facts: PhaseFacts): string {
  const { phase, quick } = facts;
  const words = {
    ...wordsOf(layout, facts.spec),
    phase: phase.name,
    document: `${quotePath(facts.spec.basePath)}/${phase.document}`,
    agent: layout.voice.agent(phase.agent),
    next: layout.voice.command(commandAfter(layout, phase)),
    goal: goalOf(facts),
    reviewer: layout.voice.agent("spec-reviewer"),
    topics: topicsOf(phase),
    budget: budgetOf(layout, facts),
  };
  const part = (template: string): string => fill(template, words).trimEnd();
  return fill(phaseTemplate, {
    ...words,
    facts: factsOf(facts),
    interview: part(quick ? assumeTemplate : askTemplate),
    close: part(quick ? onwardsTemplate : approveTemplate),
  }).trimEnd();
}

function goalOf({ goal, spec }: PhaseFacts): string {
  const text = clean(goal).trim();
  if (text.length <= MAX_GOAL) return text;
  return `${text.slice(0, MAX_GOAL)}… (all of it: ${quotePath(spec.basePath)}/.progress.md)`;
}

/** The intent's budget is for the beginning; later, only questions that a decision depends on are asked. */
function budgetOf(layout: Edition, { phase, intent }: PhaseFacts): string {
  const { min, max } = intent.questions;
  return phase === layout.phases[0] ? `${min} to ${max} questions` : "at most 3 questions, or none";
}

const topicsOf = ({ name }: Phase): string =>
  new RegExp(`^- ${name}: (.*)$`, "m").exec(topicsText)?.[1] ?? "what a decision depends on";

function factsOf({ phase, intent, granularity, documents, hints }: PhaseFacts): string {
  const before = documents.filter((document) => document !== phase.document);
  const isTasks = phase.document === "tasks.md";
  const lines = [
    `Intent: ${intent.id}`,
    ...(isTasks ? [`Granularity: ${granularity}`] : []),
    ...(before.length > 0 ? [`Written so far: ${before.join(", ")}`] : []),
    ...(documents.includes(phase.document)
      ? [`${phase.document} already exists: update it, do not start over`]
      : []),
    ...hints.map((hint) => oneLine(hint, 300)),
  ];
  return `${lines.map((line) => `- ${line}`).join("\n")}\n`;
}

/** What the agent is told that writes a document: the facts, what the coordinator adds, and what is wrong so far. */
export function renderWriting(
  layout: Edition,
  facts: PhaseFacts,
  words: string,
  findings: readonly string[],
): string {
  const { spec, phase } = facts;
  const wrong = facts.documents.includes(phase.document) ? findings : [];
  return fill(writingTemplate, {
    ...wordsOf(layout, spec),
    document: `${quotePath(spec.basePath)}/${phase.document}`,
    goal: goalOf(facts),
    facts: factsOf(facts),
    findings: wrong.length === 0 ? "" : `\nIt is not finished yet:\n${renderFindings(wrong)}\n`,
    words: words.trim() === "" ? "" : `From the coordinator:\n${clean(words).trim()}`,
  }).trimEnd();
}

/** What the coordinator is told about a document that an agent has just written. */
export function renderWritten(
  layout: Edition,
  { spec, phase, findings, isLast }: WrittenDocument,
): string {
  const document = `${quotePath(spec.basePath)}/${phase.document}`;
  if (findings.length === 0) return fill(writtenTemplate, { document }).trimEnd();
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
}

/** Sends a document back with what is wrong with it. */
export function renderBack(
  layout: Edition,
  spec: SpecRef,
  phase: Phase,
  back: { iteration: number; round: number; findings: readonly string[] },
): string {
  const words = wordsOf(layout, spec);
  return fill(backTemplate, {
    ...words,
    phase: phase.name,
    agent: layout.voice.agent(phase.agent),
    document: `${words["basePath"]}/${phase.document}`,
    iteration: back.iteration,
    round: back.round,
    rounds: LIMITS.documentRounds,
    findings: renderFindings(back.findings),
  }).trimEnd();
}

export function renderFindings(findings: readonly string[]): string {
  const shown = findings.slice(0, MAX_FINDINGS).map((finding) => `- ${oneLine(finding, 300)}`);
  const more = findings.length - shown.length;
  return [...shown, ...(more > 0 ? [`- and ${more} more`] : [])].join("\n");
}
