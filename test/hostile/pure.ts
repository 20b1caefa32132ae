import * as fc from "fast-check";
import { parseArguments, splitWords } from "../../src/apps/cli/arguments.ts";
import { loadCommands } from "../../src/apps/cli/commands.ts";
import { Refusal } from "../../src/engine/refusal.ts";
import { renderReceipt } from "../../src/facts/receipt-table.ts";
import { claude } from "../../src/hosts/claude/host.ts";
import type { Edition } from "../../src/layouts/layout.ts";
import { renderBack, renderPhase } from "../../src/prompts/phase.ts";
import { renderCoordinator, renderPrompt } from "../../src/prompts/render.ts";
import { renderReview } from "../../src/prompts/review.ts";
import { planAddition, planSplit } from "../../src/run/change/plan-change.ts";
import { planFailure } from "../../src/run/change/recovery.ts";
import { claimsCompletion, judgeClaim } from "../../src/run/claim/judge-claim.ts";
import { planVerification } from "../../src/run/claim/verification.ts";
import { combineSettings } from "../../src/run/combine-settings.ts";
import { decide } from "../../src/run/decide.ts";
import type { Prompt } from "../../src/run/decision.ts";
import { formatEntry, parseJournal, parseLastEntry } from "../../src/run/journal-lines.ts";
import type { Entry } from "../../src/run/journal.ts";
import { currentLoop } from "../../src/run/loop.ts";
import { defaultSettings, parseSettings } from "../../src/run/settings.ts";
import { formatState, parseState } from "../../src/run/state.ts";
import { readIntent } from "../../src/spec/classify-intent.ts";
import { MAX_BYTES } from "../../src/store/read.ts";
import { applyOrder } from "../../src/tasks/edit/reorder.ts";
import { setChecked } from "../../src/tasks/edit/tick.ts";
import { parseFields } from "../../src/tasks/fields.ts";
import { lintTasks } from "../../src/tasks/lint/lint.ts";
import type { Task, TaskList } from "../../src/tasks/model.ts";
import { planOrder } from "../../src/tasks/order/plan-order.ts";
import { parseTasks } from "../../src/tasks/parse.ts";
import { locate } from "../../src/tasks/position.ts";
import { clean, fill, oneLine } from "../../src/text/template.ts";
import { layouts } from "../support/editions.ts";
import { tasksOf } from "../support/journal.ts";
import * as files from "./files.ts";
import { ensure, ensureAnswer, ensureSafe } from "./invariants.ts";
import { type Target, target } from "./target.ts";
import { text } from "./texts.ts";

const commands = await loadCommands();

const NOW = { at: "2026-06-01T00:00:00.000Z", runId: "fresh" };
const SPEC = { name: "demo", basePath: "./specs/demo" };

/** Some of its tasks: a list may have thousands. */
const someOf = ({ tasks }: TaskList): Task[] => [...tasks.slice(0, 3), ...tasks.slice(-1)];

export function readTasks(given: string): void {
  const list = parseTasks(given);
  ensure(list.lines.join("") === given, "the lines are not the text");
  let line = 0;
  for (const [i, task] of list.tasks.entries()) {
    const isWell = task.index === i && task.line > line && task.endLine >= task.line;
    ensure(isWell && task.id !== "" && task.id.length < 100, "a task is not in its place", task);
    ({ line } = task);
  }
  const ids = list.tasks.map(({ id }) => id).join();
  for (const task of someOf(list)) {
    const ticked = setChecked(list, task, !task.checked);
    const again = parseTasks(ticked);
    ensure(again.tasks.map(({ id }) => id).join() === ids, "ticking a box changed the tasks", task);
    const flipped = again.tasks.filter(({ checked }, i) => checked !== list.tasks[i]?.checked);
    ensure(
      flipped.length === 1 && flipped[0]?.index === task.index,
      "another box was ticked",
      task,
    );
    parseFields(list, task);
    planVerification(list, task, defaultSettings);
  }
  const { open, current } = locate(list);
  ensure((open.length === 0) === (current.length === 0), "open tasks, and none is due", open);
}

function editTasks([given, reason, seed]: [string, string, number]): void {
  const list = parseTasks(given);
  lintTasks(list);
  const plan = planOrder(list, { byScore: seed % 3 === 0 });
  const sorted = parseTasks(applyOrder(list, plan, { renumber: seed % 2 === 0 }).text);
  ensure(sorted.tasks.length === list.tasks.length, "sorting lost a task");
  const task = list.tasks[seed % Math.max(1, list.tasks.length)];
  if (task === undefined) return;
  const state = { recoveryMode: true };
  const standing = { spec: SPEC, list, state, loop: currentLoop(state, undefined, NOW) };
  const why = oneLine(reason, 500);
  const texts = [
    planFailure(standing, [], task, { reason: why }).tasks,
    ...[
      planSplit(standing, task, [`${why} a`, "b"], why),
      planAddition(standing, task, "before", { title: why, fields: new Map([["Do", why]]) }, why),
      planAddition(standing, task, "after", { title: why, fields: new Map() }, why),
    ].map((change) => (change.kind === "changed" ? change.tasks : undefined)),
  ];
  for (const grown of texts) {
    if (grown === undefined) continue;
    const { length } = parseTasks(grown).tasks;
    ensure(length > list.tasks.length && length < list.tasks.length + 3, "a task was lost", grown);
  }
}

export function readState(given: string): void {
  const file = parseState(given);
  if (file.kind !== "ok") return;
  const written = formatState(file.raw);
  ensure(parseState(written).kind === "ok", "a state that was written cannot be read", written);
  ensure(({} as { phase?: unknown }).phase === undefined, "every object has a phase now");
}

export function readJournal(given: string): void {
  const entries = parseJournal(given);
  const last = parseLastEntry(given);
  ensure(formatted(last) === formatted(entries.at(-1)), "two readers see two last entries");
  const list = parseTasks("- [x] 1.1 a\n- [ ] 1.2 b\n");
  const receipt = renderReceipt(tasksOf(list, entries));
  ensure(receipt.split("\n").length === 4, "the receipt is not one line a task", receipt);
}

const formatted = (entry: Entry | undefined): string =>
  entry === undefined ? "" : formatEntry(entry);

export function readSettings(given: string): void {
  const { weights, stallLimit, verifyTimeoutSeconds, enabled, specsDirs } = combineSettings(
    parseSettings(given),
    {},
  ).settings;
  const numbers = [...Object.values(weights), stallLimit, verifyTimeoutSeconds];
  ensure(numbers.every(Number.isSafeInteger), "a setting is no number", numbers);
  ensure(stallLimit > 0 && verifyTimeoutSeconds > 0, "a limit that is none");
  ensure(typeof enabled === "boolean" && specsDirs.every((one) => one !== ""), "odd settings");
}

const disk = fc.record({
  layout: fc.constantFrom(...layouts),
  state: files.state,
  journal: files.journal,
  tasks: fc.option(files.tasks, { freq: 8 }),
  head: text,
  said: fc.option(text),
  name: text,
  continuing: fc.boolean(),
});

function render(layout: Edition, prompt: Prompt, goal: string): string {
  switch (prompt.kind) {
    case "phase-back":
      return renderBack(layout, prompt.brief.spec, prompt.phase, { ...prompt, iteration: 1 });
    case "execute":
      return renderCoordinator(layout, prompt.brief, 1);
    case "phase":
      return renderPhase(layout, {
        spec: prompt.brief.spec,
        phase: prompt.phase,
        goal,
        quick: true,
        intent: readIntent(goal, {}),
        small: false,
        looksSmall: true,
        isProvisional: true,
        words: [{ phase: goal, text: goal }],
        open: [{ phase: goal, kind: "open", text: goal }],
        granularity: "fine",
        questions: [{ document: "spec.md", line: 1, text: goal }],
        documents: layout.phases.map(({ document }) => document),
        beside: [],
        hints: [goal],
      });
    case "review":
      return renderReview(layout, prompt.brief);
    default:
      return renderPrompt(layout, prompt);
  }
}

function decideOn({ layout, state, journal, tasks, head, said, name, continuing }: DiskText): void {
  const file = {
    layout,
    settings: defaultSettings,
    spec: { name, basePath: `./specs/${name}` },
    state: parseState(state),
    last: parseLastEntry(journal),
    tasks:
      tasks === null
        ? ({ kind: "absent" } as const)
        : ({ kind: "ok", list: parseTasks(tasks) } as const),
    findings: said === null ? [] : [said],
    head: head.slice(0, 300),
  };
  const event = { sessionId: "s", continuing, message: said, agentsRunning: 0 };
  const { prompt, write } = decide(event, file, NOW);
  if (prompt !== undefined) {
    const rendered = render(layout, prompt, name);
    ensureSafe(rendered, "the prompt");
    ensure(rendered.length < 100_000, "the prompt is too long", rendered.length);
  }
  if (write === undefined) return;
  const { iteration, maxIterations } = write.loop;
  ensure(prompt?.kind !== "continue" || iteration <= maxIterations, "a turn too many", write.loop);
  const { state: _, ...entry } = write;
  const line = formatEntry({ at: NOW.at, ...entry });
  // A record that is handed down is as long as it was; what is added now must leave it readable.
  const was = file.last === undefined ? 0 : formatEntry(file.last).length;
  ensure(
    line.length < Math.max(was + 4096, MAX_BYTES.tail / 3),
    "a line as long as the tail",
    line.length,
  );
  ensure(parseLastEntry(line) !== undefined, "what is written cannot be read", line);
}

interface DiskText {
  readonly layout: (typeof layouts)[number];
  readonly state: string;
  readonly journal: string;
  readonly tasks: string | null;
  readonly head: string;
  readonly said: string | null;
  readonly name: string;
  readonly continuing: boolean;
}

const TWO = parseTasks("- [ ] 1.1 a\n- [x] 1.2 [VERIFY] b\n- [ ] 1.1.1 [FIX 1.1] c\n");

function weigh(report: string): void {
  for (const task of TWO.tasks) {
    const verdict = judgeClaim({
      task,
      report,
      list: TWO,
      ticked: 1,
      peers: [],
      uncommitted: [],
      outside: [],
    });
    ensure(verdict !== undefined || claimsCompletion(report), "accepted without a claim", report);
  }
}

function fillIn([given, value]: [string, string]): void {
  ensureSafe(clean(given), "cleaned text");
  const line = oneLine(given, 100);
  ensure(line.length <= 100 && !/[\n\r\t\u2028]/.test(line), "more than a line", line);
  ensureSafe(line, "a line");
  const filled = fill("a {{x}} b {{y}}", { x: given, y: value });
  ensure(filled === `a ${given} b ${value}`, "a value was filled in again", filled);
}

function readArguments([line, index]: [string, number]): void {
  const command = commands[index % commands.length] as (typeof commands)[number];
  try {
    parseArguments(command, splitWords(line), "smart-ralph");
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}

function readEvent(given: string): void {
  let value: unknown;
  try {
    value = JSON.parse(given);
  } catch {
    value = given;
  }
  const { parseStop, parseFailure, parseEnd, parseReport, parsePrompt, parseStart } = claude.wire;
  const { parseDelegation, parseReturn, formatOrders } = claude.wire;
  const parsers = [parseStop, parseFailure, parseEnd, parseReport, parsePrompt, parseStart];
  for (const parse of [...parsers, parseDelegation, parseReturn]) parse?.(value, {});
  ensureAnswer(formatOrders?.(value, "spec-executor", "Do it.") ?? "");
}

const wire = files.inputOf({
  session_id: '"s"',
  cwd: '"/x"',
  stop_hook_active: "true",
  last_assistant_message: '"x"',
  background_tasks: '[{"type":"subagent"}]',
  prompt: '"/x"',
  agent_type: '"spec-executor"',
  agent_id: '"a"',
  error: '"e"',
  tool_use_id: '"call"',
  tool_input: '{"subagent_type":"spec-executor","prompt":"1.1"}',
  tool_response: '{"status":"completed"}',
});
const reports = fc
  .array(
    fc.oneof(
      text,
      fc.constantFrom("TASK_COMPLETE", "VERIFICATION_PASS", "\n", "Task 1.1 ", "FAILED"),
    ),
    {
      maxLength: 6,
    },
  )
  .map((parts) => parts.join(""));

export const pureTargets: readonly Target[] = [
  target("tasks", 240, files.tasks, readTasks),
  target("edits", 50, fc.tuple(files.tasks, text, fc.nat(50)), editTasks),
  target("state", 100, files.state, readState),
  target("journal", 80, files.journal, readJournal),
  target("settings", 120, files.settings, readSettings),
  target("decide", 80, disk, decideOn),
  target("report", 80, reports, weigh),
  target("template", 60, fc.tuple(text, text), fillIn),
  target("arguments", 40, fc.tuple(text, fc.nat()), readArguments),
  target("event", 60, wire, readEvent),
];
