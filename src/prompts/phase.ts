import { type Edition, type Phase, worksItself } from "../layouts/layout.ts";
import { commandAfter, phasesOf } from "../layouts/phases.ts";
import type { SpecRef } from "../run/hand-out.ts";
import { LIMITS } from "../run/state.ts";
import { keepStart } from "../text/cut.ts";
import { quotePath } from "../text/quote.ts";
import { clean, fill, oneLine } from "../text/template.ts";
import ownNamingTemplate from "./naming-self.md";
import namingTemplate from "./naming.md";
import approveTemplate from "./phase-approve.md";
import askTemplate from "./phase-ask.md";
import assumeTemplate from "./phase-assume.md";
import ownBackTemplate from "./phase-back-self.md";
import backTemplate from "./phase-back.md";
import { factsOf, type PhaseFacts, sayAtOnce, sayQuestion, sayShort } from "./phase-facts.ts";
import questionsTemplate from "./phase-questions.md";
import ownQuickTemplate from "./phase-quick-self.md";
import quickTemplate from "./phase-quick.md";
import ownPhaseTemplate from "./phase-self.md";
import topicsText from "./phase-topics.md";
import phaseTemplate from "./phase.md";
import { renderRole } from "./roles.ts";
import { type NamedTemplate, renderShapes } from "./shapes.ts";
import { wordsOf } from "./words.ts";

/** Some clients cut a prompt of more than 10,000 bytes. */
const MAX_SHAPE = 4000;
const MAX_GOAL = 2000;
const MAX_FINDINGS = 12;

/** The prompt that starts the agent on a phase. */
export const renderPhase = (
  layout: Edition,
  facts: PhaseFacts,
  templates: readonly NamedTemplate[] = [],
): string =>
  [
    renderSteps(layout, facts),
    ...(facts.isProvisional ? [renderNaming(layout, facts.spec)] : []),
    ...(templates.length === 0 ? [] : [renderShapes(templates, MAX_SHAPE)]),
  ].join("\n\n");

const renderNaming = (layout: Edition, spec: SpecRef): string =>
  fill(worksItself(layout) ? ownNamingTemplate : namingTemplate, wordsOf(layout, spec)).trimEnd();

function renderSteps(layout: Edition, facts: PhaseFacts): string {
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
    budget: sayBudget(budgetOf(layout, facts)),
    atOnce: sayAtOnce(layout, budgetOf(layout, facts).max),
    asking: `${quotePath(facts.spec.basePath)}/${facts.questions[0]?.document}`,
    questions: facts.questions.map((one) => `   - ${sayQuestion(one)}`).join("\n"),
  };
  const part = (template: string): string => fill(template, words).trimEnd();
  const interview = [
    ...(facts.questions.length > 0 ? [part(questionsTemplate)] : []),
    part(askTemplate),
  ]
    .join("\n")
    .replace(/\n(?=\S)/g, "\n   ");
  if (worksItself(layout))
    return fill(quick ? ownQuickTemplate : ownPhaseTemplate, {
      ...words,
      facts: factsOf(layout, facts, "both"),
      interview,
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
    facts: factsOf(layout, facts, "coordinator"),
    interview,
    close: part(approveTemplate),
  }).trimEnd();
}

export function goalOf({ goal, spec }: PhaseFacts): string {
  const text = clean(goal).trim();
  if (text.length <= MAX_GOAL) return text;
  return `${keepStart(text, MAX_GOAL)} (all of it: ${quotePath(spec.basePath)}/.progress.md)`;
}

/** The intent's budget is for the beginning; later, only questions that a decision depends on are asked. */
function budgetOf(layout: Edition, { phase, intent, small }: PhaseFacts): Budget {
  if (small) return { min: 0, max: 2 };
  return phase === layout.phases[0] ? intent.intent.questions : { min: 0, max: 3 };
}

type Budget = Readonly<Record<"min" | "max", number>>;

const sayBudget = ({ min, max }: Budget): string =>
  min === 0 ? `at most ${max} questions, or none` : `${min} to ${max} questions`;

const topicsOf = ({ name }: Phase): string =>
  new RegExp(`^- ${name}: (.*)$`, "m").exec(topicsText)?.[1] ?? "what a decision depends on";

/** Sends a document back with what is wrong with it. */
export function renderBack(
  layout: Edition,
  spec: SpecRef,
  phase: Phase,
  back: { iteration: number; round: number; findings: readonly string[] },
): string {
  const words = wordsOf(layout, spec);
  return fill(worksItself(layout) ? ownBackTemplate : backTemplate, {
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
