import { formatChoice } from "../run/agent-choice.ts";
import { formatTime } from "../run/cost.ts";
import { plainReason } from "../run/event-lines.ts";
import { isBlocked, isReport } from "../run/signal.ts";
import { readAllEntries } from "../store/spec-files.ts";
import { capitalize } from "../text/wording.ts";
import { choicesFor, taskKey } from "./choices.ts";
import type { Coordinator, Used } from "./coordinator.ts";
import type { RunStatus } from "./events.ts";
import type { WorkEnding, WorkResult } from "./executor.ts";
import { leavesVerify, tellGivenUp } from "./give-up.ts";
import type { Ground } from "./ground.ts";
import { isTask, type Job } from "./jobs.ts";
import type { KeptLease } from "./keep-lease.ts";
import { lostIn } from "./lost.ts";
import { planOrder } from "./plan-order.ts";
import type { Questions } from "./questions.ts";
import type { Stage } from "./stage.ts";
import type { Teller } from "./tell.ts";

/** What doing a job of one spec needs. */
export interface Work {
  readonly stage: Stage;
  readonly coordinator: Coordinator;
  readonly questions: Questions;
  readonly teller: Teller;
  readonly lease: Pick<KeptLease, "fence" | "isHeld">;
  /** Aborts if the user skips the task while it is worked on, or the run ends. */
  readonly signalFor: (task: string) => AbortSignal;
}

/** How a run or a spec ended, and why. */
export interface DriveEnd {
  readonly status: RunStatus;
  readonly text: string;
}

/** A report that has to be judged. */
export interface Reported {
  readonly agentId: string;
  readonly report: string;
  readonly orders: string;
  /** What the task's agents named with their edit tools, where that decides whose work a file is. */
  readonly edited?: ReadonlySet<string>;
  /** Where the run's branch was before this work was merged, if it was done apart. */
  readonly since?: string;
}

let calls = 0;

/**
 * Makes one attempt at a job. `weigh` judges the report in the tree where the work is. Returns why the run cannot go on,
 * if it cannot.
 */
export async function doJob(
  work: Work,
  job: Job,
  ground: Ground,
  weigh: (reported: Reported) => Promise<DriveEnd | undefined>,
): Promise<DriveEnd | undefined> {
  const { coordinator, stage, questions, teller, lease } = work;
  const over = giveUp(work, job);
  if (over !== undefined) return over;
  const callId = `${stage.run}-${++calls}`;
  const sent = coordinator.orders(job, callId);
  // Paused just now, or waiting for approval: the next decision says so.
  if ("denied" in sent)
    return coordinator.isWaiting() ? undefined : { status: "stuck", text: sent.denied };
  const { orders } = sent;
  const order = planOrder(work, job, ground.cwd, orders);
  const on = { emit: stage.emit, signal: work.signalFor(job.id) };
  const result = await stage.executorIn(coordinator.spec, ground).execute(order, on);
  // The last look before anything is judged.
  if (lostIn(stage) !== undefined || !lease.isHeld()) return STOPPED;
  const { ending, report, rejected } = result;
  const mayBeIdle = isTask(job) && !saysWhy(job, result);
  const agentId = `${result.agent} ${callId}`;
  const edited = result.edited === undefined ? {} : { edited: new Set(result.edited) };
  const fail = (reason: string): undefined => {
    coordinator.fail(job, agentId, reason);
    teller.verdict(job, undefined, { reason, isClaimed: ending.kind === "turn" });
  };
  try {
    if (questions.pass(job, result.questions)) {
      if (ending.kind === "turn") await ground.rewind(job.id);
      return undefined;
    }
    if (ending.kind === "failed") return fail(ending.reason);
    if (ending.kind !== "turn") return leave(work, job, ending);
    if (rejected !== undefined) return fail(rejected);
    return await weigh({ agentId, report, orders, ...edited });
  } catch (error) {
    if (!stage.signal.aborted && !stage.timeUp.aborted) throw error;
    if (lostIn(stage) !== undefined) return STOPPED;
    // Stopped while the Verify ran, so its result is unknown.
    await ground.rewind(job.id);
    return stage.signal.aborted ? STOPPED : tellLate(stage);
  } finally {
    noteTried(work, job, agentId, {
      by: result.choice,
      isIdle: mayBeIdle && !result.hasWorked,
      mayBeIdle: mayBeIdle && order.files.length === 0,
    });
    if (lostIn(stage) === undefined) coordinator.returned(callId, agentId, usedBy(result));
  }
}

/** Why the run is over before this attempt, if nobody has moved anything. */
export function giveUp({ stage, coordinator: { spec } }: Work, job: Job): DriveEnd | undefined {
  if (choicesFor(stage, { spec: spec.name, task: job.id }, job).length > 0) return undefined;
  const wanted = stage.choose(job.role).map(formatChoice);
  if (wanted.length === 0) return undefined;
  return { status: "stuck", text: tellGivenUp(stage.tried, wanted) };
}

/** Whoever only checks changes nothing, and an agent may say that it is blocked: then its words count. */
const saysWhy = ({ role }: Job, { ending, report }: WorkResult): boolean =>
  ending.kind === "turn" && (role === "verification" ? isReport : isBlocked)(report);

/** Remembers an attempt that counted. An accepted document leaves no entry about its agent. */
function noteTried(
  { stage, coordinator }: Work,
  job: Job,
  agentId: string,
  { by, isIdle, mayBeIdle }: { by: string; isIdle: boolean; mayBeIdle: boolean },
): void {
  const { event, note = "" } = coordinator.lastOn(agentId) ?? {};
  const isDone = event === "done" || (job.role === "planning" && event === undefined);
  const isFailed = event === "failed" || (job.role === "planning" && event === "refused");
  if (by === "" || (!isDone && !isFailed)) return;
  const why = plainReason(job.id, note).replaceAll(job.id, "the task");
  const task = taskKey({ spec: coordinator.spec.name, task: job.id });
  const about = readAllEntries(coordinator.spec).filter((one) => one.task === job.id);
  const isUnnoticed = isIdle || (mayBeIdle && leavesVerify(about, agentId));
  const tried = { task, by, ...(isFailed ? { failed: { isIdle, isUnnoticed, why } } : {}) };
  stage.tried = [...stage.tried, tried];
}

/** The run has used its time. */
function tellLate({ budget, emit }: Stage): DriveEnd {
  const text = budget.check()?.text ?? "the run has used its time";
  emit({ kind: "budget", text });
  return { status: "budget", text };
}

/** For an end that does not count as an attempt: the task waits, or the run ends. */
export function leave(
  { stage, questions }: Work,
  job: Job,
  end: Exclude<WorkEnding, { kind: "turn" | "failed" }>,
): DriveEnd | undefined {
  switch (end.kind) {
    case "too-long":
      questions.askAgain(job, `${end.reason} Split the task, or name another agent.`);
      return undefined;
    case "over-budget":
      stage.emit({ kind: "budget", text: end.reason });
      if (end.scope === "run") return { status: "budget", text: end.reason };
      questions.askAgain(job, `${end.reason}. Go on with it?`);
      return undefined;
    case "busy": {
      const text = `no agent has answered for ${formatTime(stage.limits.maxBusyMs)}: ${end.reason}`;
      // Only a task can wait for an answer.
      if (!isTask(job)) return { status: "unavailable", text };
      questions.askAgain(job, `${capitalize(text)}. What now?`);
      return undefined;
    }
    case "unavailable":
      return { status: "unavailable", text: end.reason };
    case "no-room":
      return { status: "waits", text: end.reason };
    case "stopped":
      // The user skipped this task; the others go on.
      return stage.signal.aborted ? STOPPED : undefined;
  }
}

export const STOPPED: DriveEnd = { status: "stopped", text: "stopped" };

function usedBy({ agent, usage, spent: { tokens, ms, usd, sources } }: WorkResult): Used {
  const source = sources.includes("prices") ? "prices" : "agent";
  return {
    agent,
    tokens,
    ms,
    model: usage.model ?? null,
    ...(usd === null || sources.includes("unknown") ? {} : { usd, source }),
  };
}
