import type { Edition, Phase } from "../layouts/layout.ts";
import { commandAfter, phasesOf } from "../layouts/phases.ts";
import type { SpecRef } from "../run/hand-out.ts";
import { LIMITS } from "../run/state.ts";
import { describeIntent, INTENT_IDS, type SpecIntent } from "../spec/intent.ts";
import { type NotedItem, OPEN_POINTS } from "../spec/noted-items.ts";
import { formatPoint, type NotedPoint } from "../spec/open-points.ts";
import { type Granularity, SHORT_SIZE } from "../tasks/granularity.ts";
import { quoteName, quotePath } from "../text/quote.ts";
import { clean, fill, oneLine } from "../text/template.ts";
import approveTemplate from "./phase-approve.md";
import askTemplate from "./phase-ask.md";
import assumeTemplate from "./phase-assume.md";
import ownBackTemplate from "./phase-back-self.md";
import backTemplate from "./phase-back.md";
import ownQuickTemplate from "./phase-quick-self.md";
import quickTemplate from "./phase-quick.md";
import ownPhaseTemplate from "./phase-self.md";
import topicsText from "./phase-topics.md";
import phaseTemplate from "./phase.md";
import { renderRole } from "./roles.ts";
import { wordsOf } from "./words.ts";

/** What is known about a spec when a phase begins. */
export interface PhaseFacts {
  readonly spec: SpecRef;
  readonly phase: Phase;
  readonly goal: string;
  readonly quick: boolean;
  readonly intent: SpecIntent;
  readonly granularity: Granularity;
  /** On the short way. */
  readonly small: boolean;
  /** The goal looks small, and the user has not said which way to take. */
  readonly looksSmall: boolean;
  /** What the user typed after the commands of phases. */
  readonly words: readonly NotedItem[];
  /** What agents reported as open. */
  readonly open: readonly NotedPoint[];
  /** Documents of the spec that exist. */
  readonly documents: readonly string[];
  /** Lines that say what else is worth reading. */
  readonly hints: readonly string[];
}

const MAX_GOAL = 2000;
const MAX_FINDINGS = 12;
const MAX_WORDS = 5;
const MAX_OPEN = 10;

/** The prompt that starts the agent on a phase. */
export function renderPhase(layout: Edition, facts: PhaseFacts): string {
  const { phase, quick } = facts;
  const words = {
    ...wordsOf(layout, facts.spec),
    phase: phase.name,
    document: `${quotePath(facts.spec.basePath)}/${phase.document}`,
    agent: layout.voice.agent(phase.agent),
    next: layout.voice.command(commandAfter(phasesOf(layout, facts), phase)),
    goal: goalOf(facts),
    reviewer: layout.voice.agent("spec-reviewer"),
    topics: topicsOf(phase),
    budget: budgetOf(layout, facts),
  };
  const part = (template: string): string => fill(template, words).trimEnd();
  if (layout.voice.worker.kind === "self")
    return fill(quick ? ownQuickTemplate : ownPhaseTemplate, {
      ...words,
      facts: factsOf(layout, facts),
      interview: part(askTemplate),
      assume: part(assumeTemplate),
      role: renderRole(layout, phase.agent),
    }).trimEnd();
  // Nobody is asked, so only the agent that writes needs to know more.
  if (quick)
    return [part(quickTemplate), ...(facts.small ? [sayShort(layout, facts.spec)] : [])].join(
      "\n\n",
    );
  return fill(phaseTemplate, {
    ...words,
    facts: factsOf(layout, facts),
    interview: part(askTemplate),
    close: part(approveTemplate),
  }).trimEnd();
}

export function goalOf({ goal, spec }: PhaseFacts): string {
  const text = clean(goal).trim();
  if (text.length <= MAX_GOAL) return text;
  return `${text.slice(0, MAX_GOAL)}… (all of it: ${quotePath(spec.basePath)}/.progress.md)`;
}

/** The intent's budget is for the beginning; later, only questions that a decision depends on are asked. */
function budgetOf(layout: Edition, { phase, intent, small }: PhaseFacts): string {
  const { min, max } = intent.intent.questions;
  if (small) return "at most 2 questions, or none";
  return phase === layout.phases[0] ? `${min} to ${max} questions` : "at most 3 questions, or none";
}

const topicsOf = ({ name }: Phase): string =>
  new RegExp(`^- ${name}: (.*)$`, "m").exec(topicsText)?.[1] ?? "what a decision depends on";

export function factsOf(
  layout: Edition,
  {
    spec,
    phase,
    intent,
    granularity,
    small,
    looksSmall,
    words,
    open,
    documents,
    hints,
  }: PhaseFacts,
): string {
  const before = documents.filter((document) => document !== phase.document);
  const isTasks = phase.document === "tasks.md";
  const lines = [
    `Intent: ${describeIntent(intent)}; \`${layout.voice.program} set intent ${INTENT_IDS.join("|")}\` changes it`,
    ...(small ? [sayShort(layout, spec)] : []),
    ...(looksSmall ? [proposeShort(layout, spec)] : []),
    ...(isTasks ? [`Granularity: ${small ? SHORT_SIZE : granularity}`] : []),
    ...(before.length > 0 ? [`Written so far: ${before.join(", ")}`] : []),
    ...(phase.document.endsWith("/")
      ? [
          `Write one file for each capability, ${phase.document}<capability>/spec.md, from the template of ${phase.document}`,
        ]
      : []),
    ...(documents.includes(phase.document)
      ? [`${phase.document} already exists: update it, do not start over`]
      : []),
    ...hints.map((hint) => oneLine(hint, 300)),
    ...words.slice(-MAX_WORDS).map((one) => sayWords(phase, one)),
    ...open.slice(-MAX_OPEN).map((one) => `From ${one.phase}, ${formatPoint(one)}`),
    ...(open.some(({ kind }) => kind !== "risk")
      ? [
          `Settle what is open if you can, and then delete its line under \`## ${OPEN_POINTS}\` in .progress.md`,
        ]
      : []),
  ];
  return `${lines.map((line) => `- ${line}`).join("\n")}\n`;
}

/** Quoted, as it is not our voice. */
const sayWords = (phase: Phase, { phase: of, text }: NotedItem): string =>
  `From the user, by .progress.md (${of === phase.name ? "this phase" : of}): ${JSON.stringify(oneLine(text, 1000))}`;

const sayShort = (layout: Edition, { name }: SpecRef): string => {
  const [plan, ...rest] = shortDocuments(layout);
  const what =
    plan === layout.requirements
      ? "is the only planning document, requirements and design in one"
      : "holds the design too";
  return `Short way: ${plan} ${what}, then ${rest.join(", then ")}; ${layout.voice.command("start")} ${quoteName(name)} --full takes the long way`;
};

const proposeShort = (layout: Edition, { name }: SpecRef): string => {
  const [plan, ...rest] = shortDocuments(layout);
  return `Looks small: tell the user in one line that ${layout.voice.command("start")} ${quoteName(name)} --small takes the short way (${plan} with its design, then ${rest.join(", then ")})`;
};

const shortDocuments = ({ shortPhases }: Edition): string[] =>
  shortPhases.map(({ document }) => document);

/** Sends a document back with what is wrong with it. */
export function renderBack(
  layout: Edition,
  spec: SpecRef,
  phase: Phase,
  back: { iteration: number; round: number; findings: readonly string[] },
): string {
  const words = wordsOf(layout, spec);
  return fill(layout.voice.worker.kind === "self" ? ownBackTemplate : backTemplate, {
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
