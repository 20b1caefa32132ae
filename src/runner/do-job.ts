import { renderInstructions } from "../prompts/driven.ts";
import { formatTime } from "../run/cost.ts";
import { plainReason } from "../run/event-lines.ts";
import type { Entry } from "../run/journal.ts";
import { isBlocked, isReport } from "../run/signal.ts";
import { readAllEntries } from "../store/spec-files.ts";
import { capitalize } from "../text/wording.ts";
import { renderAside } from "./aside-line.ts";
import { type AttemptEnd, runAttempt } from "./attempt.ts";
import { choicesFor, nameOf, taskKey } from "./choices.ts";
import type { Coordinator, Used } from "./coordinator.ts";
import type { RunStatus } from "./events.ts";
import { leavesVerify, tellGivenUp } from "./give-up.ts";
import type { Ground } from "./ground.ts";
import { isTask, type Job } from "./jobs.ts";
import { lostIn } from "./lost.ts";
import type { Questions } from "./questions.ts";
import type { Stage } from "./stage.ts";
import type { Teller } from "./tell.ts";
import { watchWork } from "./watch-work.ts";

/** What doing a job of one spec needs. */
export interface Work {
  readonly stage: Stage;
  readonly coordinator: Coordinator;
  readonly questions: Questions;
  readonly teller: Teller;
  /** Assigns a task to a worker; today, always this process. */
  readonly assign: (task: string) => Promise<HeldTask | undefined>;
  /** Aborts if the user skips the task while it is worked on. */
  readonly skips: (task: string) => AbortSignal;
}

/** The right to work on a task, until another worker gets it. */
export interface HeldTask {
  /** Undefined if another worker has the task now: then nothing is written. */
  readonly commit: <T>(write: () => Promise<T>) => Promise<{ readonly value: T } | undefined>;
  readonly release: () => Promise<void>;
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

/** What became of a report: the journal's entry on it, and why the run cannot go on, if it cannot. */
export interface Weighed {
  readonly entry?: Entry | undefined;
  readonly over?: DriveEnd | undefined;
}

let calls = 0;

/**
 * Makes one attempt at a job. `weigh` judges the report in the tree where the work is. Returns why the run cannot go on,
 * if it cannot.
 */
export async function doJob(
  work: Work,
  job: Job,
  ground: Ground & { readonly spec?: { readonly folder: string } },
  weigh: (reported: Reported) => Promise<Weighed>,
): Promise<DriveEnd | undefined> {
  const { coordinator, stage, questions, teller } = work;
  const over = giveUp(work, job);
  if (over !== undefined) return over;
  const hold = await work.assign(job.id);
  if (hold === undefined) return { status: "stuck", text: `${job.id} was given to another run` };
  const callId = `${stage.run}-${++calls}`;
  const sent = coordinator.orders(job, callId, ground.spec?.folder);
  if ("denied" in sent) {
    await hold.release();
    // Paused just now, or waiting for approval: the next decision says so.
    return coordinator.isWaiting() ? undefined : { status: "stuck", text: sent.denied };
  }
  const { orders } = sent;
  const putBack = ground.begin(job);
  const { spec } = coordinator;
  const asking = questions.open(job, ground.cwd);
  asking.ready();
  const { namesFiles, hasWorked } = watchWork(ground.cwd, spec, coordinator.list, job.id);
  const end = await runAttempt(stage, {
    about: { spec: spec.name, task: job.id, attempt: job.attempt },
    job,
    prompt: () => [orders, ...renderAside(spec, job)].join("\n\n"),
    instructions: renderInstructions(spec.project.layout, job.type),
    place: {
      cwd: ground.cwd,
      writable: ground.writable,
      isOwn: ground.isOwn === true,
      env: asking.env,
    },
    noteEdits: (files) => ground.edits?.note(job.id, files),
    signal: work.skips(job.id),
    async rewind() {
      await ground.rewind(job.id);
      asking.ready();
    },
  });
  if (lostIn(stage) !== undefined) return STOPPED;
  const mayBeIdle = isTask(job) && !saysWhy(job, end);
  const isIdle = mayBeIdle && !hasWorked();
  const agentId = `${end.agent} ${callId}`;
  const edited = (): Pick<Reported, "edited"> =>
    ground.edits === undefined ? {} : { edited: ground.edits.of(job.id) };
  let weighed: Weighed = {};
  const fail = (why: string): undefined => {
    weighed = { entry: coordinator.fail(job, agentId, why) };
    teller.verdict(job, undefined, { reason: why, isClaimed: end.kind === "turn" });
  };
  try {
    const { notes, failed } = putBack();
    for (const text of notes) stage.emit({ kind: "note", text });
    if (asking.take()) {
      await ground.rewind(job.id);
      return undefined;
    }
    switch (end.kind) {
      case "turn":
        if (failed !== undefined) return fail(failed);
        await hold.commit(async () => {
          weighed = await weigh({ agentId, report: end.report, orders, ...edited() });
        });
        return weighed.over;
      case "failed":
        // It was cut off: its leftovers would be blamed on the next attempt.
        await ground.rewind(job.id);
        return fail(end.reason);
      default:
        await ground.rewind(job.id);
        return leave(work, job, end);
    }
  } catch (error) {
    if (!stage.signal.aborted && !stage.timeUp.aborted) throw error;
    if (lostIn(stage) !== undefined) return STOPPED;
    // Stopped while the Verify ran, so its result is unknown.
    await ground.rewind(job.id);
    return stage.signal.aborted ? STOPPED : tellLate(stage);
  } finally {
    noteTried(
      work,
      job,
      { agentId, ...weighed.entry },
      {
        by: end.choice,
        isIdle,
        mayBeIdle: mayBeIdle && !namesFiles,
      },
    );
    coordinator.returned(callId, agentId, usedBy(end));
    await hold.release();
  }
}

/** Why the run is over before this attempt, if nobody has moved anything. */
export function giveUp({ stage, coordinator: { spec } }: Work, job: Job): DriveEnd | undefined {
  if (choicesFor(stage, { spec: spec.name, task: job.id }, job).length > 0) return undefined;
  const wanted = stage.choose(job.role).map(nameOf);
  if (wanted.length === 0) return undefined;
  return { status: "stuck", text: tellGivenUp(stage.tried, wanted) };
}

/** Whoever only checks changes nothing, and an agent may say that it is blocked: then its words count. */
const saysWhy = ({ role }: Job, end: AttemptEnd): boolean =>
  end.kind === "turn" && (role === "verification" ? isReport : isBlocked)(end.report);

/** Remembers an attempt that counted. An accepted document leaves no entry about its agent. */
function noteTried(
  { stage, coordinator }: Work,
  job: Job,
  { agentId, event, note = "" }: Partial<Entry> & { readonly agentId: string },
  { by, isIdle, mayBeIdle }: { by: string; isIdle: boolean; mayBeIdle: boolean },
): void {
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
  end: Exclude<AttemptEnd, { kind: "turn" | "failed" }>,
): DriveEnd | undefined {
  switch (end.kind) {
    case "too-long":
      questions.askAgain(job, "time", `${end.reason} Split the task, or name another agent.`);
      return undefined;
    case "over-budget":
      stage.emit({ kind: "budget", text: end.reason });
      if (end.scope === "run") return { status: "budget", text: end.reason };
      questions.askAgain(job, "budget", `${end.reason}. Go on with it?`);
      return undefined;
    case "busy": {
      const text = `no agent has answered for ${formatTime(stage.maxBusyMs)}: ${end.reason}`;
      // Only a task can wait for an answer.
      if (!isTask(job)) return { status: "unavailable", text };
      questions.askAgain(job, "busy", `${capitalize(text)}. What now?`);
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

function usedBy({ agent, usage, spent: { tokens, ms, usd, sources } }: AttemptEnd): Used {
  const source = sources.includes("prices") ? "prices" : "agent";
  return {
    agent,
    tokens,
    ms,
    model: usage.model ?? null,
    ...(usd === null || sources.includes("unknown") ? {} : { usd, source }),
  };
}
