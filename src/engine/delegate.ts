import type { HostDelegation } from "../hosts/host.ts";
import { type Edition, EXECUTION } from "../layouts/layout.ts";
import { renderOrders, renderStart } from "../prompts/render-task.ts";
import { renderHalted } from "../prompts/render.ts";
import { renderWriting } from "../prompts/writing.ts";
import { addAgent, findAgent, REVIEW } from "../run/agents-out.ts";
import { matchReport } from "../run/claim/match-report.ts";
import type { Disk } from "../run/decision.ts";
import { type HandOutTask, planHandOut } from "../run/hand-out.ts";
import type { Loop } from "../run/journal.ts";
import { currentLoop, type Now } from "../run/loop.ts";
import { isWaiting, type State } from "../run/state.ts";
import { whoseRun } from "../run/trust.ts";
import { waiting } from "../run/user-messages.ts";
import { hasDocument } from "../store/documents.ts";
import { withLock } from "../store/lock.ts";
import { applyWrite, readAllEntries, readDisk } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import type { Task, TaskList } from "../tasks/model.ts";
import { clean } from "../text/template.ts";
import { placesFor } from "./agent-places.ts";
import { orderReview } from "./ask-review.ts";
import { readFindings } from "./check-documents.ts";
import { templateFor } from "./document-template.ts";
import { isWriter, writtenPhase } from "./hear-document.ts";
import { isExecutor } from "./hear-report.ts";
import { isReviewer } from "./hear-review.ts";
import { listThere, withInterruptions } from "./interruptions.ts";
import { nameAsAsked } from "./name-as-asked.ts";
import { readFacts } from "./spec-facts.ts";

/** What becomes of an agent that the coordinator is about to start. */
export type Delegation =
  /** It does not concern us. */
  | { readonly kind: "pass" }
  | { readonly kind: "denied"; readonly reason: string }
  /** It runs in the foreground, with these orders. */
  | {
      readonly kind: "sent";
      readonly agent: string;
      readonly orders: string;
      /** The work on a list that the user has just begun starts with it. */
      readonly isFirst?: boolean;
    };

const PASS: Delegation = { kind: "pass" };

/**
 * The coordinator names a task, and the agent gets orders that say all it needs. Only what is handed out goes out, and
 * each task to one agent at a time.
 */
export function delegate(
  found: Spec,
  call: HostDelegation,
  now: Now,
  /** Started by a run: the agent may ask the user. */
  isDriven = false,
): Delegation {
  const { layout } = found.project;
  const isWriting = isWriter(layout, call.agentType);
  const isReview = isReviewer(layout, call.agentType);
  const isOurs = isWriting || isReview || isExecutor(layout, call.agentType);
  if (call.isNested || !isOurs) return PASS;
  const { spec, asked } = isWriting ? nameAsAsked(found, call, now) : { spec: found, asked: call };
  return withLock(spec.lock, () => {
    const disk = readDisk(spec);
    if (whoseRun(disk, asked.sessionId) !== "ours") return PASS;
    if (disk.state.kind === "corrupt") return deny(renderHalted("the state cannot be read"));
    if (disk.state.kind !== "ok") return PASS;
    const { state } = disk.state;
    const loop = currentLoop(state, disk.last, now);
    if (loop.session !== asked.sessionId) return PASS;
    const due = { asked, state, loop, now, isDriven };
    if (isWriting) return sendWriter(spec, disk, due);
    if (isReview) return sendReviewer(spec, disk, due);
    if (state.phase !== EXECUTION) return PASS;
    if (disk.tasks.kind !== "ok") return deny(renderHalted("tasks.md cannot be read"));
    return sendExecutor(spec, disk, due, disk.tasks.list);
  });
}

interface Due {
  readonly asked: HostDelegation;
  readonly state: State;
  readonly loop: Loop;
  readonly now: Now;
  readonly isDriven: boolean;
}

/** The agent that writes a phase's document gets the facts, and what was wrong with the last version. */
function sendWriter(
  spec: Spec,
  disk: Disk,
  { asked, state, loop, now, isDriven }: Due,
): Delegation {
  const { layout } = spec.project;
  const phase = writtenPhase(layout, state, asked.agentType);
  if (phase === undefined) return PASS;
  if (state.paused === true) {
    const brief = planHandOut(spec, undefined, state, loop);
    return deny(renderHalted(waiting(disk, brief, state)));
  }
  if (hasStopped(loop)) return deny(renderHalted(`the run has stopped (${loop.told})`));
  note(spec, disk, now, phase.document, addAgent(loop, asked.callId, phase.document));
  const facts = { ...readFacts(spec, phase, state), spec: placesFor(spec, isDriven).spec };
  const words = asked.prompt.slice(0, MAX_WORDS);
  const findings = readFindings(spec, phase.document);
  const templates = [phase.document, ...(phase.beside ?? [])]
    .filter((name) => !hasDocument(spec, name))
    .map((name) => ({ document: name, ...templateFor(spec, name, now.at.slice(0, 10)) }));
  const orders = renderWriting(layout, facts, words, findings, templates);
  return { kind: "sent", agent: layout.voice.agent(phase.agent), orders };
}

/** Only the last review is ours; the user may have any document reviewed. */
function sendReviewer(
  spec: Spec,
  disk: Disk,
  { asked, state, loop, now, isDriven }: Due,
): Delegation {
  if (loop.review !== "out" || isWaiting(state) || hasStopped(loop)) return PASS;
  note(spec, disk, now, REVIEW, addAgent(loop, asked.callId, REVIEW));
  return { kind: "sent", agent: asked.agentType, orders: orderReview(spec, isDriven) };
}

function sendExecutor(
  spec: Spec,
  disk: Disk,
  { asked, state, loop, now, isDriven }: Due,
  list: TaskList,
): Delegation {
  const { layout } = spec.project;
  const entries = readAllEntries(spec);
  const plan = planHandOut(spec, list, state, loop, entries);
  const standing = { state, loop, entries };
  const brief = withInterruptions(spec, plan, list, standing);
  if (isWaiting(state)) return deny(renderHalted(waiting(disk, brief, state)));
  if (hasStopped(loop)) return deny(renderHalted(`the run has stopped (${loop.told})`));
  const ids = brief.current.map(({ id }) => id);
  const id = matchReport(ids, list, asked.prompt, `${asked.prompt}\n${asked.description}`);
  const task = brief.current.find((one) => one.id === id);
  if (task === undefined)
    return deny(brief.current.length === 0 ? NOTHING_LEFT : renderStart(layout, brief));
  // Whoever comes back without a word is not counted at its return, so it is counted here.
  const starts = (disk.recent?.() ?? []).filter(
    ({ event, task: started }) => event === "delegated" && started === task.id,
  );
  if (starts.length >= loop.maxAttempts)
    return deny(
      renderHalted(`${task.id} was started ${starts.length} times, and nobody reported on it`),
    );
  // It may have died without a word: then the next stop hands the task out again.
  if (findAgent(loop, task.id) !== undefined)
    return deny(
      `An agent is already working on ${task.id}. If it has ended without a result, end your turn: the task is handed out again.`,
    );
  const there = listThere(spec, list, list.tasks[task.index] as Task, standing);
  note(spec, disk, now, task.id, addAgent(loop, asked.callId, task.id), there);
  const places = placesFor(spec, isDriven);
  const known = new Set(
    entries.filter((one) => one.loop.run === loop.run).map(({ event }) => event),
  );
  return {
    kind: "sent",
    agent: layout.voice.agent(task.agent),
    isFirst: known.has("start") && !known.has("delegated"),
    orders: withWords(
      layout,
      asked,
      renderOrders(layout, { ...brief, spec: places.spec }, task, places.rules, isDriven),
      task,
    ),
  };
}

const NOTHING_LEFT = "No task is left to hand out. End your turn.";

/** Said and not taken back. A file that was broken may be whole again. */
const hasStopped = ({ told }: Loop): boolean => told !== null && told !== "corrupt";

const deny = (reason: string): Delegation => ({ kind: "denied", reason });

function note(
  spec: Spec,
  { state }: Disk,
  { at }: Now,
  task: string,
  loop: Loop,
  there: readonly string[] = [],
): void {
  const left = there.length === 0 ? {} : { left: there };
  applyWrite(spec, state, { event: "delegated", task, ...left, loop }, at);
}

/** What the coordinator knows and the spec does not say. Most of the time it says only the task's number. */
function withWords(
  { unit }: Edition,
  { prompt }: HostDelegation,
  orders: string,
  { id }: HandOutTask,
): string {
  const words = clean(prompt.replace(id, "")).trim();
  const isMore = (words.match(/\p{L}{3,}/gu) ?? []).length > 3;
  return isMore
    ? `${orders}\n\nFrom the coordinator of the ${unit}:\n${words.slice(0, MAX_WORDS)}`
    : orders;
}

const MAX_WORDS = 2000;
