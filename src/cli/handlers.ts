import { planBrief } from "../core/brief.ts";
import { decide, passBy } from "../core/decide.ts";
import type { Disk, Prompt, StopEvent } from "../core/decision.ts";
import type { Loop } from "../core/journal.ts";
import { EXECUTION, type Layout } from "../core/layout.ts";
import { currentLoop, type Now } from "../core/loop.ts";
import { phaseNamed } from "../core/phases.ts";
import * as say from "../core/say.ts";
import { isWaiting } from "../core/state.ts";
import type { Environment, Host, HostStop, Where } from "../hosts/host.ts";
import { renderDenial, renderInterjection, renderPrompt } from "../prompts/render.ts";
import { oneLine } from "../prompts/template.ts";
import { applyWrite, readDisk } from "../store/disk.ts";
import { keepOutOfGit } from "../store/exclude.ts";
import { withLock } from "../store/lock.ts";
import type { Spec } from "../store/spec.ts";
import { readLastMessage, readServiceError } from "../store/transcript.ts";
import { activeSpec, log, MAX_LINE } from "./event.ts";
import { lazy } from "./lazy.ts";
import { readNow } from "./now.ts";
import { leaveReceipt } from "./receipt.ts";

/** Takes an event from the client and gives back what goes to its standard output. */
type Handler = (layout: Layout, host: Host, input: unknown, env: Environment) => string;

export const handlers: Readonly<Record<string, Handler>> = {
  stop,
  "stop-failure": stopFailure,
  "session-end": sessionEnd,
  "session-start": sessionStart,
  prompt,
  question,
};

function stop(layout: Layout, host: Host, input: unknown, env: Environment): string {
  const stopped = host.parseStop(input, env);
  if (stopped === undefined) return "";
  const spec = activeSpec(layout, stopped);
  if (spec === undefined) return "";

  const now = readNow();
  const early = readDisk(spec);
  if (passBy(eventOf(stopped, early), early, now) !== undefined) return "";
  return withLock(spec.lock, () => {
    const disk = readDisk(spec, () => lazy.loadQuick().findings(spec, phaseOf(disk)));
    const { outcome, prompt: due, say: line, write } = decide(eventOf(stopped, disk), disk, now);
    // Before the state goes: without it no other stop would come to leave one.
    const proof = outcome === "finished" ? tellProof(spec, disk) : "";
    // A run of an older version: nobody has kept its files out of git yet.
    if (write !== undefined && disk.last === undefined) keepOutOfGit(spec);
    if (write !== undefined) applyWrite(spec, disk.state, write, now.at);
    if (due === undefined && line !== undefined) log(layout, oneLine(line, MAX_LINE));
    return host.formatAnswer({
      outcome,
      ...(due === undefined ? {} : { reason: promptOf(spec, disk, due) }),
      ...(line === undefined ? {} : { say: oneLine(line + proof, MAX_LINE) }),
    });
  });
}

function promptOf(spec: Spec, disk: Disk, due: Prompt): string {
  switch (due.kind) {
    case "phase":
    case "phase-back":
    case "execute":
      return lazy.loadQuick().answer(spec, disk, due);
    default:
      return renderPrompt(disk.layout, due);
  }
}

const phaseOf = ({ state }: Disk): string | undefined =>
  state.kind === "ok" ? state.state.phase : undefined;

/** A spec that is finished says what proves it, also where boxes were ticked by hand. */
function tellProof(spec: Spec, { tasks }: Disk): string {
  if (tasks.kind !== "ok") return "";
  const { receipt, fault } = leaveReceipt(spec, tasks.list);
  const proven = receipt.filter(({ evidence }) => evidence.length > 0).length;
  return `; ${proven} proven by their Verify, ${fault ?? "the receipt is in .progress.md"}`;
}

/** The loop ends with a failed turn and nobody is asked: note why, for status and the next session. */
function stopFailure(layout: Layout, host: Host, input: unknown, env: Environment): string {
  const failed = host.parseFailure?.(input, env);
  if (failed !== undefined) noteEnd(layout, failed, () => ["service-error", failed.error]);
  return "";
}

/** A headless client exits without waiting for the hook above, but it waits for this one. */
function sessionEnd(layout: Layout, host: Host, input: unknown, env: Environment): string {
  const ended = host.parseEnd?.(input, env);
  if (ended === undefined) return "";
  noteEnd(layout, ended, (loop) => {
    const error =
      ended.transcript === undefined ? undefined : readServiceError(ended.transcript, loop.began);
    return error === undefined
      ? ["session-ended", "the session ended in the middle of the run"]
      : ["service-error", error];
  });
  return "";
}

/** Writes down why a run of this session ends here, unless it is known already. */
function noteEnd(
  layout: Layout,
  where: Where,
  reason: (loop: Loop) => [event: "service-error" | "session-ended", note: string],
): void {
  const spec = activeSpec(layout, where);
  if (spec === undefined) return;
  const now = readNow();
  withLock(spec.lock, () => {
    const disk = readDisk(spec);
    const loop = runningLoop(disk, where.sessionId, now);
    if (loop === undefined || disk.last?.event === "service-error") return;
    const [event, note] = reason(loop);
    applyWrite(spec, disk.state, { event, note, loop }, now.at);
  });
}

/** A session begins where a run was left: what ended it, and how to go on. */
function sessionStart(layout: Layout, host: Host, input: unknown, env: Environment): string {
  const where = host.parseStart?.(input, env);
  const spec = where === undefined ? undefined : activeSpec(layout, where);
  if (spec === undefined) return "";
  const disk = readDisk(spec);
  if (disk.state.kind !== "ok") return "";
  const { state } = disk.state;
  const phase = phaseNamed(layout, state.phase);
  if (phase === undefined && state.phase !== EXECUTION) return "";
  const loop = currentLoop(state, disk.last, readNow());
  const isOver = disk.last?.event === "service-error" || disk.last?.event === "session-ended";
  const waits = isWaiting(state);
  // A run that goes on in another session is none of this one's business.
  const isOther = loop.session !== where?.sessionId;
  const isElsewhere = isOther && !isOver && !waits && loop.told === null;
  // Quick mode leaves no note of the end of its session: whether that lives on, only the user knows.
  if (phase !== undefined) return notice(host, say.inPhase(disk, phase, state, isElsewhere));
  if (isElsewhere) return "";
  const list = disk.tasks.kind === "ok" ? disk.tasks.list : undefined;
  const brief = planBrief(disk.spec, list, state, loop);
  return notice(host, say.leftOff(disk, brief));
}

function notice(host: Host, text: string): string {
  const line = oneLine(text, MAX_LINE);
  return host.formatNotice?.("start", line, line) ?? "";
}

/** The user speaks while the loop is on: they see that it is, and how to pause it. */
function prompt(layout: Layout, host: Host, input: unknown, env: Environment): string {
  const spoken = host.parsePrompt?.(input, env);
  if (spoken === undefined || !spoken.typed || host.formatNotice === undefined) return "";
  const spec = activeSpec(layout, spoken);
  if (spec === undefined) return "";
  const disk = readDisk(spec);
  const loop = runningLoop(disk, spoken.sessionId, readNow());
  if (loop === undefined || disk.state.kind !== "ok") return "";
  const list = disk.tasks.kind === "ok" ? disk.tasks.list : undefined;
  const brief = planBrief(disk.spec, list, disk.state.state, loop);
  const line = oneLine(say.loopIsOn(disk, brief), MAX_LINE);
  return host.formatNotice("prompt", line, renderInterjection(layout, brief));
}

/** In quick mode nobody is there to answer: the agent decides, and writes down what it took for granted. */
function question(layout: Layout, host: Host, input: unknown, env: Environment): string {
  const asked = host.parseQuestion?.(input, env);
  const spec = asked === undefined ? undefined : activeSpec(layout, asked);
  if (spec === undefined || host.formatDenial === undefined) return "";
  const disk = readDisk(spec);
  if (disk.state.kind !== "ok") return "";
  const { state } = disk.state;
  if (state.quickMode !== true || isWaiting(state)) return "";
  const { session, told } = currentLoop(state, disk.last, readNow());
  if (told !== null || session !== asked?.sessionId) return "";
  return host.formatDenial(renderDenial(layout, spec));
}

/** The loop of this session, while it runs: not paused, not waiting, not stopped. */
function runningLoop(disk: Disk, sessionId: string | null, now: Now): Loop | undefined {
  if (disk.state.kind !== "ok") return undefined;
  const { state } = disk.state;
  if (state.phase !== "execution" || isWaiting(state)) return undefined;
  const loop = currentLoop(state, disk.last, now);
  return loop.session === sessionId && loop.told === null ? loop : undefined;
}

/** The transcript is opened only if the decision gets as far as to ask for the message. */
function eventOf(stopped: HostStop, disk: Disk): StopEvent {
  return {
    sessionId: stopped.sessionId,
    continuing: stopped.continuing,
    agentsRunning: stopped.agentsRunning,
    get message() {
      if (stopped.message !== undefined) return stopped.message;
      return stopped.transcript === undefined
        ? null
        : readLastMessage(
            stopped.transcript,
            disk.last?.loop.open === true ? disk.last.loop.began : undefined,
          );
    },
  };
}
