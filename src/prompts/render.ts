import type { Edition } from "../layouts/layout.ts";
import type { LoopPrompt } from "../run/decision.ts";
import type { HandOut, HandOutTask, SpecRef } from "../run/hand-out.ts";
import { ALL_TASKS_COMPLETE, TASK_COMPLETE, VERIFICATION_PASS } from "../run/signal.ts";
import { at } from "../run/user-messages.ts";
import { quoteName, quotePath } from "../text/quote.ts";
import { clean, fill, oneLine, type Values } from "../text/template.ts";
import continueTemplate from "./continue.md";
import coordinatorTemplate from "./coordinator.md";
import corruptTemplate from "./corrupt.md";
import denialTemplate from "./denial.md";
import interjectionTemplate from "./interjection.md";
import limitTemplate from "./limit.md";
import noTasksTemplate from "./no-tasks.md";
import sentBackTemplate from "./sent-back.md";

const MAX_TASK_CHARACTERS = 8000;
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
      return fill(corruptTemplate, { ...words, path, why: prompt.why }).trimEnd();
    }
    case "limit":
      return fill(limitTemplate, { ...words, max: prompt.max }).trimEnd();
  }
}

/** What `implement` puts into the conversation: the rules once, then the first task. */
export function renderCoordinator(layout: Edition, brief: HandOut, open: number): string {
  const words = wordsOf(layout, brief.spec);
  const tasks = renderTasks(layout, brief, words);
  return fill(coordinatorTemplate, { ...words, open, total: brief.total, tasks }).trimEnd();
}

export const renderInterjection = (layout: Edition, brief: HandOut): string =>
  fill(interjectionTemplate, { ...wordsOf(layout, brief.spec), at: at(brief) }).trimEnd();

/** Why a question to the user is refused in quick mode. */
export const renderDenial = (layout: Edition, spec: SpecRef): string =>
  fill(denialTemplate, wordsOf(layout, spec)).trimEnd();

/** The next task or group. */
export function renderTasks(
  layout: Edition,
  brief: HandOut,
  words: Values = wordsOf(layout, brief.spec),
): string {
  if (brief.current.length === 0) return fill(noTasksTemplate, words).trimEnd();
  const texts = brief.current.map((task) => renderTask(layout, brief, task));
  if (texts.length < 2) return texts.join("");
  const ids = brief.current.map((task) => task.id).join(", ");
  const notes = `${words["basePath"]}/.progress-task-<id>.md`;
  return `Parallel group: ${ids}. Start one agent for each, all in one message; tell each to keep its notes in ${notes}, not in .progress.md.\n\n${texts.join("\n\n")}`;
}

function renderContinuation(layout: Edition, brief: HandOut, words: Values, claim: string): string {
  return fill(continueTemplate, {
    ...words,
    n: Math.min(brief.index + 1, brief.total),
    total: brief.total,
    iteration: brief.iteration,
    index: brief.index,
    attempt: brief.current[0]?.attempt ?? 1,
    maxAttempts: brief.maxAttempts,
    recovery: brief.recovery ? "on" : "off",
    claim,
    tasks: renderTasks(layout, brief, words),
  }).trimEnd();
}

function renderTask(layout: Edition, brief: HandOut, task: HandOutTask): string {
  const agent = layout.voice.agent(task.verify ? "qa-engineer" : "spec-executor");
  const again = task.attempt > 1 ? `, attempt ${task.attempt} of ${brief.maxAttempts}` : "";
  const text = clean(task.text);
  const body =
    text.length > MAX_TASK_CHARACTERS
      ? `${text.slice(0, MAX_TASK_CHARACTERS)}\n(cut here; the rest is in tasks.md from line ${task.line})`
      : text;
  const history = renderHistory(layout, task);
  return [`## Task ${task.id} → ${agent}${again}`, body, ...history].join("\n");
}

const formatTime = (iso: string): string =>
  `${oneLine(iso, 40).slice(0, 16).replace("T", " ")} UTC`;

/** What an agent that gets the task should know besides its text. All of it is data, quoted. */
function renderHistory({ plugin }: Edition, { id, history }: HandOutTask): string[] {
  const { reason, output, uncommitted, startedAt, passedBefore, cannotRun } = history;
  const names = uncommitted.map((name) => quotePath(name)).join(", ");
  const quoted = (text: string): string => `> ${oneLine(text, 300)}`;
  return [
    ...(startedAt === null
      ? []
      : [
          `${id} was started at ${formatTime(startedAt)} and not finished${names === "" ? "" : `; uncommitted: ${names}`}`,
        ]),
    ...(reason === null ? [] : ["It was tried before and not accepted:", quoted(reason)]),
    ...(output.length === 0 ? [] : ["Its Verify printed:", ...output.map(quoted)]),
    ...(names === "" || startedAt !== null ? [] : [`Uncommitted from that attempt: ${names}`]),
    ...(passedBefore
      ? [
          "Its Verify passed before the work began, so it proves little: add a test that fails without the work.",
        ]
      : []),
    ...(cannotRun === null
      ? []
      : [
          `Its Verify cannot run, unless this task provides what is missing: \`${plugin} amend ${id} --verify '…' --reason '…'\` replaces it, before an attempt is spent.`,
          quoted(cannotRun),
        ]),
  ];
}

export function wordsOf(layout: Edition, spec: SpecRef): Values {
  const basePath = quotePath(spec.basePath);
  return {
    plugin: layout.plugin,
    program: layout.plugin,
    unit: layout.unit,
    name: quoteName(spec.name),
    basePath,
    stateFile: layout.stateFile,
    statePath: `${basePath}/${layout.stateFile}`,
    tasksPath: `${basePath}/tasks.md`,
    implement: layout.voice.command("implement"),
    cancel: layout.voice.command("cancel"),
    approve: layout.voice.command("approve"),
    agentTool: layout.voice.agentTool,
    questionTool: layout.voice.questionTool,
    ALL_TASKS_COMPLETE,
    TASK_COMPLETE,
    VERIFICATION_PASS,
  };
}
