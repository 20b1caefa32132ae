import type { Answer, HostStop } from "../hosts/host.ts";
import { type Edition, worksItself } from "../layouts/layout.ts";
import { renderPrompt, renderUnsaid } from "../prompts/render.ts";
import { renderReview } from "../prompts/review.ts";
import { withAgreement } from "../run/agreement-lines.ts";
import { decide, isQuickPhase, passBy } from "../run/decide.ts";
import type { Disk, Glance, Prompt, StopEvent } from "../run/decision.ts";
import { AT_END } from "../run/hand-out.ts";
import { isHeard } from "../run/heard.ts";
import type { Now } from "../run/loop.ts";
import { isReport } from "../run/signal.ts";
import { isEnded, whoseRun } from "../run/trust.ts";
import { withLock } from "../store/lock.ts";
import { chooseSpec } from "../store/session-spec.ts";
import { applyWrite, isFinished, readDiskWith, readGlance } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { announceOnce } from "../store/tickets.ts";
import { isOnlyRunningSpec, readAgreement } from "../store/vault.ts";
import type { Task, TaskList } from "../tasks/model.ts";
import type * as OnDemand from "./stop-on-demand.ts";
import { announceStranger, reportMissingRun, restoreAtEnd } from "./whose-run.ts";

export interface StopPorts {
  readonly now: Now;
  /** What only some stops need: loading it takes longer than a whole stop may. */
  readonly load: () => typeof OnDemand;
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
  /** For clients that do not send the agent's last message. */
  readonly readLastMessage: (
    transcript: string,
    began: string | undefined,
    at?: string,
  ) => string | null;
}

const PASS: Answer = { outcome: "idle" };

/** The end of a turn: whether the agent may stop, and what it is told if not. */
export function stopRun(
  layout: Edition,
  spec: Spec | undefined,
  stopped: HostStop,
  ports: StopPorts,
): Answer {
  const { now, load, settle, hear } = ports;
  const reportMissing = (): Answer => {
    const left = restoreAtEnd(layout, stopped, now.at);
    return left === undefined
      ? tell(reportMissingRun(layout, stopped, now.at))
      : stopRun(layout, left, stopped, ports);
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
    const heard = message !== null && isHeard(glance, message) ? hear() : {};
    if (heard.reason !== undefined || heard.say !== undefined)
      return { outcome: "phase", ...heard };
  }
  if (passed !== undefined) return PASS;
  const look = (): Looked => withLock(spec.lock, () => answer(spec, stopped, ports));
  const { begins, ...first } = look();
  if (begins) {
    settle();
    return { ...first, reason: (first.reason ?? "") + load().firstTasks(spec, now) };
  }
  if (first.outcome !== "unsettled") return first;
  const cleared = settle();
  const { begins: _, ...second } = look();
  if (second.outcome !== "unsettled") return withCleared(second, cleared);
  throw new Error("what was done since the last turn could not be checked");
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

interface Looked extends Answer {
  /** Execution begins with this stop. */
  readonly begins: boolean;
}

/** A line for the user; the agent may stop. */
const tell = (say: string | undefined): Answer => (say === undefined ? PASS : { ...PASS, say });

function answer(spec: Spec, stopped: HostStop, { now, load, readLastMessage }: StopPorts): Looked {
  const read = readDiskWith(spec, (list, inbox) => load().withInbox(list, inbox));
  const state = read.state.kind === "ok" ? read.state.state : {};
  const checked = isQuickPhase(read, state)
    ? { ...read, findings: load().findingsOf(spec, state.phase) }
    : read;
  const disk = {
    ...checked,
    isRunnable: (list: TaskList, task: Task) => load().isRunnable(spec, list, task),
  };
  const event = eventOf(stopped, disk, readLastMessage);
  const decision = decide(event, disk, now);
  const { outcome, prompt, say: line, log, write } = decision;
  // Before the state goes: without it no later stop would write one.
  const isWritten = disk.last?.loop.ready === AT_END;
  const proof =
    outcome === "finished" && disk.tasks.kind === "ok"
      ? load().concludeRun(spec, disk.tasks.list, state, isWritten)
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
  const told = prompt === undefined ? undefined : promptOf(spec, disk, prompt, load);
  const reason = told !== undefined && isSilent ? `${told}\n\n${renderUnsaid()}` : told;
  const isAsked = outcome === "awaiting" || prompt?.kind === "execute";
  const agreed = isAsked && line !== undefined ? readAgreement(spec) : undefined;
  const isKnown =
    outcome === "awaiting" && state.paused === true && !announcePause(spec, disk, stopped);
  const outlook = prompt?.kind === "execute" ? load().tellOutlook(spec) : undefined;
  const facts = `${proof}${outlook === undefined ? "" : `; ${outlook}`}`;
  const say =
    line === undefined || isKnown
      ? undefined
      : withAgreement(disk.layout, line, outcome, agreed) + facts;
  return {
    outcome,
    begins: prompt?.kind === "execute",
    ...(reason === undefined ? {} : { reason }),
    ...(say === undefined ? {} : { say }),
    ...(log === undefined ? {} : { log }),
  };
}

/** A user who paused the run knows it: they are told once. */
const announcePause = (spec: Spec, { last }: Disk, { sessionId }: HostStop): boolean =>
  sessionId === null || announceOnce(sessionId, `paused ${spec.folder} ${last?.at}`);

function promptOf(spec: Spec, disk: Disk, prompt: Prompt, load: StopPorts["load"]): string {
  switch (prompt.kind) {
    case "phase":
    case "phase-back":
    case "execute":
      return load().drivePhase(spec, disk, prompt);
    case "review":
      return worksItself(disk.layout)
        ? load().orderOwnReview(spec, prompt.brief.total)
        : renderReview(disk.layout, prompt.brief);
    default:
      return renderPrompt(disk.layout, prompt);
  }
}

/** If the client does not send the last message, the transcript has it. */
function eventOf(
  { sessionId, continuing, agentsRunning, message, transcript, at }: HostStop,
  { last }: Glance,
  readLastMessage: StopPorts["readLastMessage"],
): StopEvent {
  const began = last?.loop.open === true ? last.loop.began : undefined;
  const read = (): string | null =>
    transcript === undefined ? null : readLastMessage(transcript, began, at);
  return {
    sessionId,
    continuing,
    agentsRunning,
    message: message === undefined ? read() : message,
  };
}
