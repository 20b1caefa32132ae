import type { Answer, HostStop } from "../hosts/host.ts";
import { type Edition, worksItself } from "../layouts/layout.ts";
import { renderPrompt, renderUnsaid } from "../prompts/render.ts";
import { renderReview } from "../prompts/review.ts";
import { withAgreement } from "../run/agreement-lines.ts";
import { decide, isQuickPhase, passBy } from "../run/decide.ts";
import type { Disk, Glance, PhasePrompt, Prompt, StopEvent } from "../run/decision.ts";
import { AT_END } from "../run/hand-out.ts";
import { isHeard } from "../run/heard.ts";
import type { Inbox } from "../run/inbox.ts";
import type { Now } from "../run/loop.ts";
import { isReport } from "../run/signal.ts";
import type { State } from "../run/state.ts";
import { isEnded, whoseRun } from "../run/trust.ts";
import { withLock } from "../store/lock.ts";
import { chooseSpec } from "../store/session-spec.ts";
import { applyWrite, isFinished, readDiskWith, readGlance } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { announceOnce } from "../store/tickets.ts";
import { isOnlyRunningSpec, readAgreement } from "../store/vault.ts";
import type { Task, TaskList } from "../tasks/model.ts";
import { announceStranger, reportMissingRun, restoreAtEnd } from "./whose-run.ts";

/** What only some stops need. */
export interface RareStop {
  readonly findings: (spec: Spec, phase: string | undefined) => readonly string[];
  readonly prompt: (spec: Spec, disk: Disk, prompt: PhasePrompt) => string;
  /** What can be proven of a list that is about to be executed. */
  readonly outlook: (spec: Spec) => string | undefined;
  /** What a finished run has left for its user. */
  readonly summary: (spec: Spec) => string | undefined;
  /** Writes what a run that ends leaves behind, as far as it `isWritten` not yet, and says what it comes to. */
  readonly conclude: (spec: Spec, list: TaskList, state: State, isWritten: boolean) => string;
  /** What extensions of the layout's own tool want, now that the run has ended. */
  readonly hooksAfter: (spec: Spec) => readonly string[];
  /** How the document of a phase turned out that the user leads. */
  readonly written: (spec: Spec, state: State, rounds: number) => string;
  /** What to hand out first, once execution has begun and the tasks are ready. */
  readonly firstTasks: (spec: Spec, now: Now) => string;
  /** The list with what the user was asked and has decided about its tasks. */
  readonly hold: (list: TaskList, inbox: Inbox) => TaskList;
  /** Whether a program can do a task. */
  readonly isRunnable: (spec: Spec, list: TaskList, task: Task) => boolean;
  /**
   * Checks boxes that were ticked by hand, and gets the next tasks ready. It runs commands, so not with the lock held.
   * Returns the boxes that were cleared.
   */
  readonly settle: () => readonly string[];
  /**
   * Takes the report of a main agent that works itself. If it is about a document, says why the agent has to continue,
   * or tells the user what is missing.
   */
  readonly hear: () => Pick<Answer, "reason" | "say">;
  /** What a main agent is told that reviews the whole work itself. */
  readonly review: (spec: Spec, total: number) => string;
}

export interface LookPorts {
  readonly now: Now;
  /** Loading it takes longer than a whole stop may. */
  readonly loadRare: () => Omit<RareStop, "settle">;
  /** For clients that do not send the agent's last message. */
  readonly readLastMessage: (
    transcript: string,
    began: string | undefined,
    at?: string,
  ) => string | null;
}

export interface StopPorts extends LookPorts {
  readonly loadRare: () => RareStop;
}

interface Looked extends Answer {
  /** The spec, if its boxes have to be checked and its next tasks made ready before the answer can be given. */
  readonly due?: Spec | undefined;
}

const PASS: Answer = { outcome: "idle" };

/** The end of a turn: whether the agent may stop, and what it is told if not. */
export function stopRun(
  layout: Edition,
  spec: Spec | undefined,
  stopped: HostStop,
  ports: StopPorts,
): Answer {
  const { due, ...answer } = lookAt(layout, spec, stopped, ports);
  if (due === undefined) return answer;
  const rare = ports.loadRare();
  const cleared = rare.settle();
  // Execution begins with this stop.
  if (answer.outcome !== "unsettled")
    return { ...answer, reason: (answer.reason ?? "") + rare.firstTasks(due, ports.now) };
  const { due: _, ...second } = look(due, stopped, ports);
  if (second.outcome !== "unsettled") return withCleared(second, cleared);
  throw new Error("what was done since the last turn could not be checked");
}

/** The same for whoever settles what is `due` in their own way, and then looks again. */
export function lookAt(
  layout: Edition,
  spec: Spec | undefined,
  stopped: HostStop,
  ports: LookPorts,
): Looked {
  const { now, loadRare } = ports;
  const reportMissing = (): Looked => {
    const left = restoreAtEnd(layout, stopped, now.at);
    return left === undefined
      ? tell(reportMissingRun(layout, stopped, now.at))
      : lookAt(layout, left, stopped, ports);
  };
  if (spec === undefined) return reportMissing();
  const glance = readGlance(spec);
  const owner = whoseRun(glance, stopped.sessionId);
  if (owner === "stranger") {
    const missed = reportMissing();
    if (missed !== PASS) return missed;
    // A run that ended is reported once more if the process was killed before it removed the state.
    if (!isEnded(glance) || !isFinished(spec))
      return tell(announceStranger(spec, stopped.sessionId));
  }
  const passed = owner === "elsewhere" ? "other-session" : passBy(stopped, glance, now)?.outcome;
  if (passed === "other-session") return isOnlyRunningSpec(spec) ? PASS : reportMissing();
  if (owner === "ours" && worksItself(layout)) {
    const { message } = eventOf(stopped, glance, ports.readLastMessage);
    const heard = message !== null && isHeard(glance, message) ? loadRare().hear() : {};
    if (heard.reason !== undefined || heard.say !== undefined)
      return { outcome: "phase", ...heard };
  }
  return passed === undefined ? look(spec, stopped, ports) : PASS;
}

/** Neither the user nor the agent should wonder where the ticks went. */
function withCleared(said: Answer, ids: readonly string[]): Answer {
  if (ids.length === 0) return said;
  const line = `${ids.join(", ")} did not pass the check, so ${ids.length === 1 ? "it is" : "they are"} open again`;
  return {
    ...said,
    say: said.say === undefined ? line : `${said.say}; ${line}`,
    ...(said.reason === undefined ? {} : { reason: `${said.reason}\n\n${line}.` }),
  };
}

/** A line for the user; the agent may stop. */
const tell = (say: string | undefined): Answer => (say === undefined ? PASS : { ...PASS, say });

const look = (spec: Spec, stopped: HostStop, ports: LookPorts): Looked =>
  withLock(spec.lock, () => lookLocked(spec, stopped, ports));

function lookLocked(
  spec: Spec,
  stopped: HostStop,
  { now, loadRare, readLastMessage }: LookPorts,
): Looked {
  const read = readDiskWith(spec, (list, inbox) => loadRare().hold(list, inbox));
  const state = read.state.kind === "ok" ? read.state.state : {};
  const checked = isQuickPhase(read, state)
    ? { ...read, findings: loadRare().findings(spec, state.phase) }
    : read;
  const disk = {
    ...checked,
    isRunnable: (list: TaskList, task: Task) => loadRare().isRunnable(spec, list, task),
  };
  const event = eventOf(stopped, disk, readLastMessage);
  const decision = decide(event, disk, now);
  const { outcome, prompt, say: line, log, write } = decision;
  // Before the state goes: without it no later stop would write one.
  const isWritten = disk.last?.loop.ready === AT_END;
  const proof =
    outcome === "finished" && disk.tasks.kind === "ok"
      ? loadRare().conclude(spec, disk.tasks.list, state, isWritten)
      : "";
  if (write !== undefined) {
    applyWrite(spec, disk.state, write, now.at);
    // Its first stop has bound it: from here on it is this session's choice, wherever the pointer goes.
    if (write.loop.session !== (disk.last?.loop.session ?? null))
      chooseSpec(spec, write.loop.session);
  }
  const isSilent =
    prompt?.kind === "continue" &&
    worksItself(disk.layout) &&
    event.message !== null &&
    !isReport(event.message);
  const told = prompt === undefined ? undefined : promptOf(spec, disk, prompt, loadRare);
  const reason = told !== undefined && isSilent ? `${told}\n\n${renderUnsaid()}` : told;
  const begins = prompt?.kind === "execute";
  const isAsked = outcome === "awaiting" || begins;
  const agreed = isAsked && line !== undefined ? readAgreement(spec) : undefined;
  const isKnown =
    outcome === "awaiting" && state.paused === true && !announcePause(spec, disk, stopped);
  const outlook = begins ? loadRare().outlook(spec) : undefined;
  const facts = `${proof}${outlook === undefined ? "" : `; ${outlook}`}`;
  const say =
    line === undefined || isKnown
      ? undefined
      : withAgreement(disk.layout, line, outcome, agreed) + facts;
  return {
    outcome,
    due: begins || outcome === "unsettled" ? spec : undefined,
    ...(reason === undefined ? {} : { reason }),
    ...(say === undefined ? {} : { say }),
    ...(log === undefined ? {} : { log }),
  };
}

/** A user who paused the run knows it: they are told once. */
const announcePause = (spec: Spec, { last }: Disk, { sessionId }: HostStop): boolean =>
  sessionId === null || announceOnce(sessionId, `paused ${spec.folder} ${last?.at}`);

function promptOf(spec: Spec, disk: Disk, prompt: Prompt, loadRare: LookPorts["loadRare"]): string {
  switch (prompt.kind) {
    case "phase":
    case "phase-back":
    case "execute":
      return loadRare().prompt(spec, disk, prompt);
    case "review":
      return worksItself(disk.layout)
        ? loadRare().review(spec, prompt.brief.total)
        : renderReview(disk.layout, prompt.brief);
    default:
      return renderPrompt(disk.layout, prompt);
  }
}

/** If the client does not send the last message, the transcript has it. */
function eventOf(
  { message, transcript, at, ...stopped }: HostStop,
  { last }: Glance,
  readLastMessage: LookPorts["readLastMessage"],
): StopEvent {
  const began = last?.loop.open === true ? last.loop.began : undefined;
  const read = (): string | null =>
    transcript === undefined ? null : readLastMessage(transcript, began, at);
  return { ...stopped, message: message === undefined ? read() : message };
}
