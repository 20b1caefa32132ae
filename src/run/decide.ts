import { EXECUTION, type Phase } from "../layouts/layout.ts";
import { phaseAfter, phaseNamed, phasesOf } from "../layouts/phases.ts";
import type { TaskList } from "../tasks/model.ts";
import { locate } from "../tasks/position.ts";
import { continueWithin } from "./bounds.ts";
import { findDueCheck } from "./claim/due-check.ts";
import type { Decision, Disk, Glance, StopEvent } from "./decision.ts";
import { AT_END, type HandOut, planHandOut, readyKey } from "./hand-out.ts";
import type { Loop } from "./journal.ts";
import * as log from "./log-lines.ts";
import { currentLoop, type Now, increment, NO_BOXES, sumBoxes } from "./loop.ts";
import { isReviewDue } from "./review.ts";
import { ALL_TASKS_COMPLETE, hasSignal } from "./signal.ts";
import { isWaiting, LIMITS, type Raw, type State } from "./state.ts";
import * as say from "./user-messages.ts";

/**
 * What happens at a stop: one function for both layouts and every host. The first row that applies decides. It reads
 * nothing and writes nothing: the answer and what to write are returned as data.
 */
export function decide(event: StopEvent, disk: Disk, now: Now): Decision {
  const passed = passBy(event, disk, now);
  if (passed !== undefined) return passed;
  const state = disk.state.kind === "ok" ? disk.state.state : {};
  const loop = currentLoop(state, disk.last, now);
  if (disk.state.kind === "corrupt") {
    return corrupt(event, disk, loop, disk.layout.stateFile, disk.state.why);
  }
  const phase = phaseNamed(phasesOf(disk.layout, state), state.phase);
  return phase === undefined
    ? execution(event, disk, state, loop)
    : quickPhase(event, disk, state, loop, phase);
}

/** The rows for stops that do not concern us. They need neither the lock nor the tasks. */
export function passBy(
  event: Pick<StopEvent, "sessionId" | "agentsRunning">,
  disk: Glance,
  now: Now,
): Decision | undefined {
  if (disk.state.kind === "absent") return { outcome: "idle" };
  const state = disk.state.kind === "ok" ? disk.state.state : {};
  const { session } = currentLoop(state, disk.last, now);
  if (session !== null && session !== event.sessionId) return { outcome: "other-session" };
  if (event.agentsRunning > 0) return { outcome: "agents-running" };
  // Before execution the agent may always stop; only quick mode drives it.
  const isDriven = state.phase === EXECUTION || isQuickPhase(disk, state);
  return disk.state.kind === "ok" && !isDriven ? { outcome: "not-executing" } : undefined;
}

/** Whether quick mode drives the agent from document to document. */
export const isQuickPhase = ({ layout }: Glance, state: State): boolean =>
  state.quickMode === true && phaseNamed(phasesOf(layout, state), state.phase) !== undefined;

/** Costs a turn like any continuation: an agent may break and fix a file again and again. */
function corrupt(event: StopEvent, disk: Disk, loop: Loop, file: string, why: string): Decision {
  // After the last turn there is nothing left to fix it for.
  if (loop.told === "corrupt" || loop.told === "limit") return { outcome: "corrupt" };
  const isOver = loop.iteration >= loop.maxIterations;
  return {
    outcome: "corrupt",
    ...(isOver ? {} : { prompt: { kind: "corrupt", spec: disk.spec, file, why } }),
    say: say.corrupt(disk, file, why),
    log: log.corrupt(disk, file, why),
    write: {
      event: "corrupt",
      note: `${file}: ${why}`,
      loop: {
        ...loop,
        session: loop.session ?? event.sessionId,
        ...(isOver
          ? {}
          : { iteration: increment(loop.iteration), continued: increment(loop.continued) }),
        told: "corrupt",
      },
    },
  };
}

/**
 * Quick mode drives the agent from phase to phase. The next one starts once this phase's document passes its check;
 * otherwise the document goes back with what is wrong, a few times.
 */
function quickPhase(
  event: StopEvent,
  disk: Disk,
  state: State,
  loop: Loop,
  phase: Phase,
): Decision {
  const brief = planHandOut(disk.spec, undefined, state, loop);
  const due = { event, disk, state, brief, list: undefined, outcome: "phase" } as const;
  if (state.paused === true) {
    return { outcome: "awaiting", say: say.waiting(disk, brief, state), log: log.waiting(state) };
  }
  const { [phase.document]: refused = 0, ...attempts } = loop.attempts;
  const { findings } = disk;
  if (findings.length > 0) {
    const round = refused + 1;
    return continueWithin({
      ...due,
      // The rounds are a separate bound: each counts as movement.
      state: { ...state, phase: `${phase.name} ${round}` },
      loop: { ...loop, attempts: { ...attempts, [phase.document]: round } },
      prompt: { kind: "phase-back", brief, phase, round, findings },
      patch: {},
      ...(round > LIMITS.documentRounds
        ? { halt: say.unfinished(disk, phase, findings[0] as string) }
        : {}),
    });
  }
  const next = phaseAfter(phasesOf(disk.layout, state), phase);
  const onwards = { ...due, loop: { ...loop, attempts } };
  if (next !== undefined) {
    const there = { ...brief, phase: next.name };
    const prompt = { kind: "phase", brief: there, phase: next } as const;
    return continueWithin({
      ...onwards,
      brief: there,
      prompt,
      patch: { phase: next.name, awaitingApproval: false },
    });
  }
  const list = disk.tasks.kind === "ok" ? disk.tasks.list : undefined;
  const first = planHandOut(disk.spec, list, {}, loop);
  return continueWithin({
    ...onwards,
    list,
    brief: first,
    prompt: { kind: "execute", brief: first },
    // Nobody has looked at this list: a box that is ticked in it is a claim.
    loop: { ...onwards.loop, boxes: NO_BOXES, ready: readyKey(first), total: first.total },
    patch: { phase: EXECUTION, awaitingApproval: false, ...cacheOf(first) },
  });
}

function execution(event: StopEvent, disk: Disk, state: State, loop: Loop): Decision {
  if (disk.tasks.kind === "unreadable") {
    return corrupt(event, disk, loop, "tasks.md", disk.tasks.why);
  }
  const list = disk.tasks.kind === "ok" ? disk.tasks.list : undefined;
  // It existed when the run began: its absence proves nothing.
  const isGone = list === undefined && loop.ticked !== null;
  const waiting = isWaiting(state);
  if (isGone && !waiting) return corrupt(event, disk, loop, "tasks.md", "it is gone");
  if (list?.tasks.length === 0) return corrupt(event, disk, loop, "tasks.md", "it has no tasks");

  const brief = planHandOut(disk.spec, list, state, loop, disk.recent?.());
  const isSure =
    list === undefined ||
    (isSettled(list, brief, loop, disk) &&
      findDueCheck(brief, list, loop, disk.isRunnable ?? (() => false)) === undefined);
  if (!isSure && !waiting) return { outcome: "unsettled" };
  const { open, free: missing = [] } = list === undefined ? {} : locate(list);
  const atEnd = brief.total > 0 && (state.taskIndex ?? 0) >= brief.total;
  const isSaid = event.message !== null && hasSignal(event.message, ALL_TASKS_COMPLETE);
  const claimed = atEnd || isSaid;
  // Boxes are the truth. Only where there are none do the index and the agent's word count.
  if (open === undefined ? claimed && !isGone : open.length === 0 && isSure) {
    const review = open === undefined ? undefined : lastReview(event, disk, state, loop, brief);
    return (
      review ?? {
        outcome: "finished",
        say: say.finished(disk, brief.total, loop),
        log: log.finished(isSaid),
        write: {
          event: "finished",
          loop: { ...loop, total: brief.total, open: false },
          state: "remove",
        },
      }
    );
  }
  return continueWithin({
    event,
    disk,
    state,
    loop,
    brief,
    list,
    waiting,
    patch: open === undefined ? {} : cacheOf(brief),
    ...(claimed && open !== undefined
      ? { outcome: "sent-back", prompt: { kind: "sent-back", brief, missing } }
      : { outcome: "continue", prompt: { kind: "continue", brief } }),
  });
}

/** Nothing depends on it: if a bound speaks against one more turn, the run just ends. */
function lastReview(
  event: StopEvent,
  disk: Disk,
  state: State,
  loop: Loop,
  brief: HandOut,
): Decision | undefined {
  if (!isReviewDue(disk.settings, state, loop)) return undefined;
  const decision = continueWithin({
    event,
    disk,
    state,
    brief,
    list: disk.tasks.kind === "ok" ? disk.tasks.list : undefined,
    outcome: "review",
    prompt: { kind: "review", brief },
    patch: cacheOf(brief),
    // What it finds is part of the outcome: that is settled again before the end.
    loop: { ...loop, review: "out", ready: loop.ready === null ? null : "" },
  });
  if (decision.outcome !== "review") return undefined;
  return { ...decision, say: say.reviewing(disk, loop) };
}

/**
 * Whether every ticked box counts, no task has vanished, and the next ones are ready to go out, or at the end nothing
 * is uncommitted. A run that an older version began says nothing about that.
 */
function isSettled(
  list: TaskList,
  brief: HandOut,
  { boxes, ready }: Loop,
  { lost = () => [] }: Disk,
): boolean {
  const isCounted = boxes === null || boxes === sumBoxes(list.tasks);
  const isComplete = boxes === null || brief.ticked < brief.total || lost(list).length === 0;
  const isOut = brief.current.length === 0 && brief.ticked < brief.total;
  const key = brief.current.length === 0 ? AT_END : readyKey(brief);
  const isReady = ready === null || isOut || ready === key;
  return isCounted && isComplete && isReady;
}

/** What older versions, and people, read from the state file. */
export function cacheOf(brief: HandOut): Raw {
  const indices = brief.current.map((task) => task.index);
  return {
    taskIndex: brief.index,
    totalTasks: brief.total,
    taskIteration: brief.current[0]?.attempt ?? 1,
    parallelGroup:
      indices.length > 1
        ? { startIndex: indices[0], endIndex: indices.at(-1), taskIndices: indices }
        : null,
  };
}
