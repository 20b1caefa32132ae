import { type Edition, worksItself } from "../layouts/layout.ts";
import { isDoubt } from "../run/claim/task-history.ts";
import { type HandOut, type HandOutTask, isHeldUp } from "../run/hand-out.ts";
import { excerptFailure, VERIFICATION_PASS } from "../run/signal.ts";
import { keepStart } from "../text/cut.ts";
import { quotePath } from "../text/quote.ts";
import { clean, fill, oneLine, type Values } from "../text/template.ts";
import askRuleTemplate from "./ask-rule.md";
import { renderDecided } from "./decided.ts";
import dueCheckTemplate from "./due-check.md";
import heldUpTemplate from "./held-up.md";
import noTasksTemplate from "./no-tasks.md";
import ordersTemplate from "./orders.md";
import { renderRules, type Rules } from "./rules.ts";
import { wordsOf } from "./words.ts";

const MAX_TASK_CHARACTERS = 8000;
const MAX_DECIDED = 5;

/** What the coordinator is told: whom to start, with which task. The agent's orders are written when it starts them. */
export function renderStart(
  layout: Edition,
  brief: HandOut,
  words: Values = wordsOf(layout, brief.spec),
): string {
  if (brief.current.length === 0) return renderNothing(brief, words);
  if (worksItself(layout)) return renderOwn(layout, brief);
  const lines = brief.current.map((task) => {
    const agent = layout.voice.agent(task.agent);
    const { cannotRun, reason, isRetryDue } = task.history;
    const why = reason === null || task.attempt < 2 ? "" : `; last: ${excerptFailure(reason, 160)}`;
    const again =
      task.attempt > 1 ? ` (attempt ${task.attempt} of ${brief.maxAttempts}${why})` : "";
    const line = `Task ${task.id} → ${agent}: ${oneLine(task.title, 100)}${again}`;
    if (cannotRun !== null) return [line, ...renderCannotRun(layout, task.id, cannotRun)];
    return isDoubt(reason) && !isRetryDue ? [line, doubted(layout, task.id)] : [line];
  });
  const [first] = brief.current;
  const intro =
    lines.length > 1
      ? "Start these agents in one message, each with its task's number as the prompt:"
      : `Start this agent, with the prompt "${first?.id}":`;
  return [intro, ...lines.flat()].join("\n");
}

const renderNothing = (brief: HandOut, words: Values): string =>
  fill(isHeldUp(brief) ? heldUpTemplate : noTasksTemplate, words).trimEnd();

/** A main agent that works itself gets one task at a time, also of a group. */
function renderOwn(layout: Edition, brief: HandOut): string {
  const current = brief.current.slice(0, 1);
  return current.map((task) => renderOrders(layout, { ...brief, current }, task)).join("");
}

/** The next task needs no agent. */
export const renderDueCheck = (layout: Edition, { spec }: HandOut, id: string): string =>
  fill(dueCheckTemplate, { ...wordsOf(layout, spec), id }).trimEnd();

/** What a sub-agent is told: its task, word for word, and what earlier attempts have shown. */
export function renderOrders(
  layout: Edition,
  brief: HandOut,
  task: HandOutTask,
  rules?: Rules,
  /** In a driven session, in which questions go to the user's inbox. */
  mayAsk = false,
): string {
  const words = wordsOf(layout, brief.spec);
  const again = task.attempt > 1 ? `. Attempt ${task.attempt} of ${brief.maxAttempts}.` : ".";
  const notes =
    brief.current.length > 1
      ? [
          `Others work beside you: keep your notes in ${words["basePath"]}/.progress-task-${task.id}.md, not in .progress.md, and do not commit that file.`,
        ]
      : [];
  const fix =
    task.verify && task.agent === "spec-executor"
      ? [
          `These checks failed. Fix the cause, commit, run them again, and end your report with ${VERIFICATION_PASS} on a line of its own.`,
        ]
      : [];
  // Whoever only checks is not told to read the documents.
  const criteria = task.verify
    ? [`If it names criteria, read what they say: ${words["folder"]}/${layout.requirements}`]
    : [];
  const { program } = layout.voice;
  const other =
    worksItself(layout) && task.attempt > 1
      ? [
          `If the same is in the way again, change the plan (\`${program} split\`, \`add\`) or ask the user: \`${program} await-approval --reason "…"\`.`,
        ]
      : [];
  const unchanged = task.isDesigned ? [] : [UNCHANGED];
  const asking = mayAsk ? [fill(askRuleTemplate, words).trimEnd()] : [];
  const text = [
    bodyOf(task),
    ...criteria,
    ...renderHistory(task, layout),
    ...fix,
    ...other,
    ...notes,
    ...unchanged,
    ...asking,
  ].join("\n");
  return fill(ordersTemplate, {
    ...words,
    id: task.id,
    again,
    text,
    rules: rules === undefined ? "" : `\n${renderRules(rules)}`,
  }).trimEnd();
}

const UNCHANGED =
  "If nothing has to change for it, say why in the report: `NO_CHANGE: why` on a line of its own.";

/** The next tasks, word for word, for whoever asks. */
export function renderTasks(layout: Edition, brief: HandOut): string {
  if (brief.current.length === 0) return renderNothing(brief, wordsOf(layout, brief.spec));
  return brief.current
    .map((task) => {
      const again = task.attempt > 1 ? `, attempt ${task.attempt} of ${brief.maxAttempts}` : "";
      const heading = `## Task ${task.id} → ${layout.voice.agent(task.agent)}${again}`;
      return [heading, bodyOf(task), ...renderHistory(task, layout)].join("\n");
    })
    .join("\n\n");
}

function bodyOf(task: HandOutTask): string {
  const text = clean(task.text);
  return text.length > MAX_TASK_CHARACTERS
    ? `${keepStart(text, MAX_TASK_CHARACTERS)}\n(cut here; the rest is in tasks.md from line ${task.line})`
    : text;
}

const quoted = (text: string): string => `> ${excerptFailure(text, 300)}`;

/** All of it, line by line. */
const quoteAll = (text: string, label: string): string[] =>
  clean(`${label}${text}`)
    .split("\n")
    .map((line) => `> ${line}`);

const formatTime = (iso: string): string =>
  `${oneLine(iso, 40).slice(0, 16).replace("T", " ")} UTC`;

/** What an agent that gets the task should know besides its text. All of it is data, quoted. */
function renderHistory({ id, verify, history }: HandOutTask, layout: Edition): string[] {
  const { reason, output, uncommitted, startedAt, passedBefore, cannotRun } = history;
  const { isReplaced, isRetryDue, decided } = history;
  const names = uncommitted.map((name) => quotePath(name)).join(", ");
  const before =
    verify && !history.hasFailed
      ? "It was checked before and did not pass; check all of it again:"
      : "It was tried before and not accepted:";
  return [
    ...decided
      .filter(({ task }) => task === id)
      .slice(-MAX_DECIDED)
      .flatMap(({ question, answer }) => [
        "The user was asked, and decided: this counts, whatever the rest says.",
        ...quoteAll(question, "Question: "),
        ...quoteAll(answer, "The user decided: "),
      ]),
    ...renderDecided(decided.filter(({ task }) => task !== id)),
    ...(startedAt === null
      ? []
      : [
          `${id} was started at ${formatTime(startedAt)} and not finished${names === "" ? "" : `; uncommitted: ${names}`}`,
        ]),
    ...(reason === null
      ? []
      : [
          isRetryDue && isDoubt(reason) ? "Its last agent said that its Verify was wrong:" : before,
          quoted(reason),
        ]),
    ...(worksItself(layout) && isDoubt(reason) && !isRetryDue ? [doubted(layout, id)] : []),
    ...(isReplaced ? ["Its Verify was replaced after that work: the one above counts."] : []),
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
          worksItself(layout)
            ? `Its Verify cannot run. Unless this task provides what is missing, replace it first: \`${layout.voice.program} amend ${id} --verify '…' --reason '…'\`.`
            : "Its Verify cannot run. Unless this task provides what is missing, report VERIFY_WRONG: and, in backticks, a command that would prove it:",
          quoted(cannotRun),
        ]),
  ];
}

const doubted = ({ voice }: Edition, id: string): string =>
  `Its last agent says that the Verify is wrong. If that is so, first: \`${voice.program} amend ${id} --verify '…' --reason '…'\`.`;

const renderCannotRun = ({ voice }: Edition, id: string, why: string): string[] => [
  `Its Verify cannot run, unless this task provides what is missing: \`${voice.program} amend ${id} --verify '…' --reason '…'\` replaces it, before an attempt is spent.`,
  quoted(why),
];
