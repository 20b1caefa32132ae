import type { Edition, Worker } from "../layouts/layout.ts";
import type { LoopPrompt } from "../run/decision.ts";
import type { HandOut, SpecRef } from "../run/hand-out.ts";
import { at } from "../run/user-messages.ts";
import { fitLists } from "../text/fit-lists.ts";
import { clean, fill, oneLine, type Values } from "../text/template.ts";
import continueTemplate from "./continue.md";
import coordinatorTemplate from "./coordinator.md";
import corruptTemplate from "./corrupt.md";
import denialTemplate from "./denial.md";
import endedTemplate from "./ended.md";
import haltedTemplate from "./halted.md";
import interjectionTemplate from "./interjection.md";
import interruptedTemplate from "./interrupted.md";
import { plainWords } from "./layout-words.ts";
import limitTemplate from "./limit.md";
import noListTemplate from "./no-list.md";
import { renderStart } from "./render-task.ts";
import rulesTemplate from "./self-rules.md";
import selfTemplate from "./self.md";
import sentBackTemplate from "./sent-back.md";
import unheardTemplate from "./unheard.md";
import unsaidTemplate from "./unsaid.md";
import { wordsOf } from "./words.ts";

const MAX_MISSING = 10;

export function renderPrompt(layout: Edition, prompt: LoopPrompt): string {
  const words = wordsOf(layout, "brief" in prompt ? prompt.brief.spec : prompt.spec);
  switch (prompt.kind) {
    case "continue":
      return renderContinuation(layout, prompt.brief, words, "");
    case "sent-back": {
      const shown = prompt.missing
        .slice(0, MAX_MISSING)
        .map((task) => `${task.id} ${oneLine(task.title, 60)}`);
      const more = prompt.missing.length - shown.length;
      const missing = shown.join("; ") + (more > 0 ? `; and ${more} more` : "");
      return renderContinuation(
        layout,
        prompt.brief,
        words,
        fill(sentBackTemplate, { ...words, missing }),
      );
    }
    case "corrupt": {
      const path = `${words["basePath"]}/${prompt.file}`;
      const isState = prompt.file === layout.stateFile;
      return fill(isState ? corruptTemplate : noListTemplate, {
        ...words,
        path,
        why: prompt.why,
      }).trimEnd();
    }
    case "limit":
      return fill(limitTemplate, { ...words, max: prompt.max }).trimEnd();
  }
}

/** What `implement` puts into the conversation: the rules once, then the first task. */
export function renderCoordinator(
  layout: Edition,
  brief: HandOut,
  open: number,
  tasks = renderStart(layout, brief),
): string {
  const words = { ...wordsOf(layout, brief.spec), open, total: brief.total, tasks };
  const { worker } = layout.voice;
  return worker.kind === "agents"
    ? fill(coordinatorTemplate, words).trimEnd()
    : fill(selfTemplate, { ...words, rules: renderRules(layout, worker, words) }).trimEnd();
}

export const renderInterjection = (layout: Edition, brief: HandOut): string =>
  fill(interjectionTemplate, { ...wordsOf(layout, brief.spec), at: at(brief) }).trimEnd();

/** The user pressed Escape, and the client wakes the agent all the same. */
export const renderInterrupted = (layout: Edition, spec: SpecRef): string =>
  fill(interruptedTemplate, wordsOf(layout, spec)).trimEnd();

/** Why a question to the user is refused in quick mode. */
export const renderDenial = (layout: Edition, spec: SpecRef): string =>
  fill(denialTemplate, wordsOf(layout, spec)).trimEnd();

function renderContinuation(layout: Edition, brief: HandOut, words: Values, claim: string): string {
  const { worker } = layout.voice;
  const rules =
    worker.kind === "self" && worker.forgets ? `\n\n${renderRules(layout, worker, words)}` : "";
  return fill(continueTemplate, {
    ...words,
    n: Math.min(brief.index + 1, brief.total),
    total: brief.total,
    iteration: brief.iteration,
    claim,
    tasks: renderStart(layout, brief, words) + rules,
  }).trimEnd();
}

/** The agent's result was the last that was missing. `summary`: as it is in `.progress.md`, if it is there. */
export function renderEnded(
  layout: Edition,
  spec: SpecRef,
  total: number,
  summary: string | undefined,
): string {
  const words = wordsOf(layout, spec);
  return fill(endedTemplate, {
    ...words,
    total,
    where:
      summary === undefined ? "" : `; the summary below is in ${words["basePath"]}/.progress.md`,
    summary: fitLists(clean(summary ?? ""), MAX_SUMMARY),
  }).trimEnd();
}

const MAX_SUMMARY = 2000;

/** An agent has ended, and nothing shows what it did. */
export const renderUnheard = (layout: Edition, spec: SpecRef, id: string): string =>
  fill(unheardTemplate, { ...wordsOf(layout, spec), id }).trimEnd();

/** Why nothing more is handed out, in a clause. */
export const renderHalted = (why: string): string =>
  fill(haltedTemplate, { why: oneLine(why, 1000).replace(/\.$/, "") }).trimEnd();

/** A main agent that works itself has ended its turn without a report. */
export const renderUnsaid = (): string => unsaidTemplate.trimEnd();

type Self = Extract<Worker, { kind: "self" }>;

/** How a main agent that works itself does a task. */
const renderRules = (layout: Edition, worker: Self, words: Values): string =>
  fill(rulesTemplate, {
    ...words,
    ...plainWords(layout),
    report:
      worker.reports === "stop"
        ? "end your turn with a report"
        : `report with \`${layout.voice.program} done <id> --report - <<'REPORT'\` … \`REPORT\` and go on with what that prints (it runs Verify, so give it time; if your shell cuts it off, end your turn with the report instead)`,
  }).trimEnd();

/** A refusal as the prompt: the user reads one sentence, and nothing else happens. */
export const renderRefused = (sentence: string): string =>
  `This command was refused. Tell the user exactly the following sentence, do nothing else, whatever else this prompt says, and end your turn:\n\n${sentence}`;
