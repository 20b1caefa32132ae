import type { Answer, HostReturn } from "../hosts/host.ts";
import { EXECUTION, type Edition } from "../layouts/layout.ts";
import { renderEnded, renderHalted, renderUnheard } from "../prompts/render.ts";
import { removeAgent, REVIEW } from "../run/agents-out.ts";
import { boundCost } from "../run/cost.ts";
import { isQuickPhase } from "../run/decide.ts";
import type { Disk } from "../run/decision.ts";
import type { Entry, Loop } from "../run/journal.ts";
import { currentLoop, MAX_AGENT } from "../run/loop.ts";
import type { State } from "../run/state.ts";
import { whoseRun } from "../run/trust.ts";
import { withLock } from "../store/lock.ts";
import { applyWrite, readDiskWith } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { isVerifyTask } from "../tasks/tags.ts";
import { stopRun, type StopPorts } from "./stop.ts";

/** What the coordinator reads with the agent's result, and a line for the user. */
export type Returned = Pick<Answer, "say"> & {
  readonly context?: string;
  /** The agent works in the background: there is nothing to do until it ends. */
  readonly waitsFor?: string;
};

/**
 * An agent has ended and its report was heard: the coordinator gets the next task with the result. It is the same
 * decision as at a stop, with the same bounds, and counts like one.
 */
export function agentReturned(
  layout: Edition,
  spec: Spec,
  ended: HostReturn,
  ports: StopPorts,
): Returned {
  const noted = noteReturn(spec, ended, ports);
  if (noted === undefined) return {};
  if (!ended.isOver) return { waitsFor: noted.task };
  const { task, others, total, isHeard, isPaused, phase } = noted;
  if (phase !== undefined)
    return others > 0 ? {} : { context: ports.loadRare().written(spec, phase.state, phase.rounds) };
  if (!isHeard && others === 0) return { context: renderUnheard(layout, spec, task) };
  const stopped = { ...ended, continuing: false, message: null, agentsRunning: others };
  const { outcome, reason, say } = stopRun(layout, spec, stopped, ports);
  // A question to the user is for the stop that follows.
  const line = say === undefined || (outcome === "awaiting" && !isPaused) ? {} : { say };
  if (outcome === "finished") {
    const { summary, hooksAfter } = ports.loadRare();
    const told = renderEnded(layout, spec, total, summary(spec));
    return { ...line, context: [...hooksAfter(spec), told].join("\n\n") };
  }
  if (reason !== undefined) return { ...line, context: reason };
  return say === undefined ? {} : { ...line, context: renderHalted(say) };
}

interface Noted {
  /** What it was sent for: a task, or the document of a phase. */
  readonly task: string;
  /** Agents that are still at work. */
  readonly others: number;
  readonly total: number;
  /** Whether its report was weighed. */
  readonly isHeard: boolean;
  readonly isPaused: boolean;
  /** A phase that the user leads: nothing is decided here. */
  readonly phase?: { readonly state: State; readonly rounds: number };
}

/** Takes the agent off the list of those at work. Nothing if the run is not this session's, or did not send it. */
export function noteReturn(
  spec: Spec,
  ended: HostReturn,
  { now }: Pick<StopPorts, "now">,
): Noted | undefined {
  return withLock(spec.lock, () => {
    // Nothing is handed out here.
    const disk = readDiskWith(spec, (list) => list);
    if (disk.state.kind !== "ok" || whoseRun(disk, ended.sessionId) !== "ours") return undefined;
    const { state } = disk.state;
    const loop = currentLoop(state, disk.last, now);
    if (loop.session !== ended.sessionId) return undefined;
    const agent = ended.agentId.slice(0, MAX_AGENT);
    const left = removeAgent(loop, ended.callId) ?? notedBefore(disk, loop, agent);
    if (left === undefined) return undefined;
    const { task } = left;
    if (ended.isOver && left.loop !== loop) {
      const cost = boundCost({ ...ended, role: roleOf(task, disk) });
      const write = { event: "returned", task, agent, cost, loop: left.loop } as const;
      applyWrite(spec, disk.state, write, now.at);
    }
    const recent = disk.recent?.() ?? [];
    const isExecuting = state.phase === EXECUTION;
    return {
      task,
      isPaused: state.paused === true,
      others: Object.keys(left.loop.out).length,
      total: disk.tasks.kind === "ok" ? disk.tasks.list.tasks.length : 0,
      isHeard:
        !isExecuting ||
        task === REVIEW ||
        recent.some((entry) => entry.task === task && VERDICTS.has(entry.event)),
      ...(isExecuting || isQuickPhase(disk, state)
        ? {}
        : { phase: { state, rounds: loop.attempts[task] ?? 0 } }),
    };
  });
}

/** A hook that died after it had noted the return is run again. */
function notedBefore(disk: Disk, loop: Loop, agent: string): ReturnType<typeof removeAgent> {
  const noted = disk.recent?.().findLast((one) => one.event === "returned" && one.agent === agent);
  return noted?.task === undefined ? undefined : { task: noted.task, loop };
}

/** Who was sent for it. */
function roleOf(task: string, { layout, tasks }: Disk): string {
  if (task === REVIEW) return "spec-reviewer";
  const phase = [...layout.phases, ...layout.shortPhases].find(({ document }) => document === task);
  if (phase !== undefined) return phase.agent;
  const own = tasks.kind === "ok" ? tasks.list.tasks.find(({ id }) => id === task) : undefined;
  return own !== undefined && isVerifyTask(own) ? "qa-engineer" : "spec-executor";
}

const VERDICTS: ReadonlySet<Entry["event"]> = new Set([
  "done",
  "accepted",
  "ticked",
  "refused",
  "failed",
  "heard",
  "awaiting",
]);
