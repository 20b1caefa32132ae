import { renderInstructions } from "../prompts/driven.ts";
import { type AttemptEnd, runAttempt } from "./attempt.ts";
import type { Coordinator, Due, Job, Used } from "./coordinator.ts";
import type { RunStatus } from "./events.ts";
import type { Ground, Trunk } from "./ground.ts";
import type { Questions } from "./questions.ts";
import type { Stage } from "./stage.ts";
import type { Teller } from "./tell.ts";

/** What drives one spec. */
export interface Drive {
  readonly stage: Stage;
  readonly coordinator: Coordinator;
  readonly trunk: Trunk;
  readonly questions: Questions;
  readonly teller: Teller;
  readonly parallel: number;
  /** Aborts while the user has skipped a task that is being worked on. */
  readonly skips: (task: string) => AbortSignal;
  /** Waits for the user: resolves once something may go on, or says that nobody will answer. */
  readonly waitForUser: (due: Extract<Due, { kind: "halted" }>) => Promise<"go-on" | "leave">;
}

export interface DriveEnd {
  readonly status: RunStatus;
  readonly text: string;
}

/** Turns of the engine, whatever its own bounds say. */
const MAX_TURNS = 10_000;

/** Does everything that a spec has to do: the engine decides what, agents do it, and the engine judges. */
export async function driveSpec(drive: Drive): Promise<DriveEnd> {
  const { coordinator, stage } = drive;
  let due: Due = coordinator.due();
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    drive.teller.plan();
    if (stage.signal.aborted) return { status: "stopped", text: "stopped" };
    if (due.kind === "finished") return { status: "finished", text: due.say };
    if (due.kind === "halted") {
      const ended = await halt(drive, due);
      if (ended !== undefined) return ended;
      due = await coordinator.next();
      continue;
    }
    const ended = await doJobs(drive, due.jobs);
    if (ended !== undefined) return ended;
    due = await coordinator.next();
  }
  return { status: "stuck", text: `stopped after ${MAX_TURNS} turns` };
}

async function halt(
  drive: Drive,
  due: Extract<Due, { kind: "halted" }>,
): Promise<DriveEnd | undefined> {
  const { questions, stage } = drive;
  if (due.outcome === "awaiting") {
    if ((await drive.waitForUser(due)) === "go-on") return undefined;
    if (stage.signal.aborted) return { status: "stopped", text: "stopped" };
    const status = questions.hasFailures() ? "stuck" : "waits";
    return { status, text: due.say };
  }
  return { status: "stuck", text: due.say };
}

/** One after the other, or a group at the same time. Returns why nothing more can be done, if so. */
async function doJobs(drive: Drive, jobs: readonly Job[]): Promise<DriveEnd | undefined> {
  const { apart } = drive.trunk;
  const width = Math.min(drive.parallel, jobs.length);
  if (apart !== undefined && width > 1) return undefined;
  for (const job of jobs) {
    const ended = await doJob(drive, job, drive.trunk);
    if (ended !== undefined) return ended;
  }
  return undefined;
}

let calls = 0;

/** One attempt at a job, in a tree, and what the engine says to it. */
async function doJob(drive: Drive, job: Job, ground: Ground): Promise<DriveEnd | undefined> {
  const { coordinator, stage, questions } = drive;
  const { spec } = coordinator;
  const callId = `${stage.run}-${++calls}`;
  const sent = coordinator.orders(job, callId);
  if ("denied" in sent) return { status: "stuck", text: sent.denied };
  const about = { spec: spec.name, task: job.id, attempt: job.attempt };
  const asking = questions.open(job, ground.cwd);
  const end = await runAttempt(stage, {
    about,
    job,
    prompt: sent.orders,
    instructions: renderInstructions(spec.project.layout, job.type),
    place: { cwd: ground.cwd, writable: ground.writable, env: asking.env },
    signal: drive.skips(job.id),
    rewind: () => ground.rewind(job),
  });
  const agentId = `${end.agent} ${callId}`;
  const asked = asking.take();
  try {
    if (asked.length > 0) {
      ground.rewind(job);
      return undefined;
    }
    return await settle(drive, job, ground, end, { agentId, orders: sent.orders });
  } finally {
    coordinator.returned(callId, agentId, usedBy(end));
  }
}

/** What follows from how an attempt ended. */
async function settle(
  drive: Drive,
  job: Job,
  ground: Ground,
  end: AttemptEnd,
  { agentId, orders }: { readonly agentId: string; readonly orders: string },
): Promise<DriveEnd | undefined> {
  const { coordinator, questions, teller } = drive;
  switch (end.kind) {
    case "turn": {
      teller.verifying(job);
      const entry = await coordinator.hear(job, agentId, end.report, orders);
      teller.verdict(job, entry);
      return undefined;
    }
    case "failed":
      coordinator.fail(job, agentId, end.reason);
      teller.verdict(job, undefined, end.reason);
      return undefined;
    case "too-long":
      ground.rewind(job);
      questions.ask(job, `${end.reason} Split the task, or take another agent.`, AGAIN);
      return undefined;
    case "over-budget":
      ground.rewind(job);
      drive.stage.emit({ kind: "budget", text: end.reason });
      if (end.scope === "run") return { status: "budget", text: end.reason };
      questions.ask(job, `${end.reason} Go on with it?`, AGAIN);
      return undefined;
    case "unavailable":
      ground.rewind(job);
      return { status: "unavailable", text: end.reason };
    case "stopped":
      ground.rewind(job);
      // A task that the user skips is held from now on; the others go on.
      return drive.stage.signal.aborted ? { status: "stopped", text: "stopped" } : undefined;
  }
}

const AGAIN = ["try again", "leave it"] as const;

function usedBy({ usage, ms }: AttemptEnd): Used {
  const { input, output } = usage.tokens;
  return { tokens: input + output || null, ms, model: usage.model ?? null };
}
