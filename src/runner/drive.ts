import { claimsCompletion } from "../run/claim/judge-claim.ts";
import { tellLeftAlone } from "../run/claim/own-work.ts";
import { isOpen } from "../run/inbox.ts";
import { readInbox } from "../store/inbox.ts";
import { oneLine } from "../text/template.ts";
import type { Due } from "./coordinator.ts";
import { doApart } from "./do-apart.ts";
import { doJob, type DriveEnd, giveUp, STOPPED, type Work } from "./do-job.ts";
import { doubt } from "./doubt.ts";
import type { RunGround } from "./ground.ts";
import type { Job } from "./jobs.ts";
import { openLastCheck } from "./last-check.ts";
import type { Waited } from "./watch-user.ts";

/** What driving one spec needs. */
export interface Drive extends Work {
  readonly ground: RunGround;
  readonly parallel: number;
  /** Resolves once something may go on, or with the reason to stop waiting. */
  readonly waitForUser: () => Promise<Waited>;
}

export const FINISHED: DriveEnd = { status: "finished", text: "" };

/** Bounds the engine's turns, in addition to its own bounds. */
const MAX_TURNS = 10_000;
/** Turns in a row without anything to do. */
const MAX_IDLE = 5;

/** Works through a spec: the engine decides what is next, agents do it, and the engine judges the result. */
export async function driveSpec(drive: Drive): Promise<DriveEnd> {
  try {
    return await takeTurns(drive);
  } catch (error) {
    // The stop interrupted a command of the engine's.
    if (drive.stage.signal.aborted) return STOPPED;
    throw error;
  }
}

async function takeTurns(drive: Drive): Promise<DriveEnd> {
  const { coordinator, stage, teller, questions } = drive;
  // What was answered since the last run may need no agent: a replaced Verify is run first.
  if (questions.applyAnswers()) {
    teller.plan();
    await coordinator.settle();
  }
  const lastCheck = openLastCheck(stage, coordinator, drive.ground, teller.attemptAt);
  let due: Due = coordinator.due();
  let idle = 0;
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    teller.plan();
    if (stage.signal.aborted) return STOPPED;
    if (due.kind === "finished") return FINISHED;
    idle = due.kind === "jobs" && due.jobs.length === 0 ? idle + 1 : 0;
    if (idle > MAX_IDLE) return { status: "stuck", text: "there is nothing to do" };
    const ended = await doWhatIsDue(drive, due);
    teller.plan();
    if (ended !== undefined) return ended;
    questions.applyAnswers();
    due = await coordinator.next(lastCheck);
  }
  return { status: "stuck", text: `stopped after ${MAX_TURNS} turns` };
}

function doWhatIsDue(
  drive: Drive,
  due: Exclude<Due, { kind: "finished" }>,
): Promise<DriveEnd | undefined> {
  if (due.kind === "halted") return halt(drive, due);
  if (due.kind === "jobs") return doJobs(drive, due.jobs);
  const { coordinator, questions } = drive;
  for (const job of due.jobs) {
    const over = giveUp(drive, job);
    if (over !== undefined) return Promise.resolve(over);
    const last = oneLine(coordinator.lastFailure(job), 500);
    questions.askAgain(
      job,
      "attempts",
      `${job.id} was tried ${job.of} times without success. ${last} What now?`,
    );
  }
  return Promise.resolve(undefined);
}

/** The engine has halted: it waits for the user, or a bound is reached. */
async function halt(
  { coordinator, questions, stage, waitForUser }: Drive,
  { outcome, say }: Extract<Due, { kind: "halted" }>,
): Promise<DriveEnd | undefined> {
  if (outcome !== "awaiting") return { status: "stuck", text: say };
  const waited = await stage.awake.rest(waitForUser);
  if (waited === "go-on") return undefined;
  if (stage.signal.aborted) return STOPPED;
  const over = waited === "over-budget" ? stage.budget.check() : undefined;
  if (over !== undefined) {
    stage.emit({ kind: "budget", text: over.text });
    return { status: "budget", text: over.text };
  }
  // The report lists open questions itself, each with what to type.
  const text = readInbox(coordinator.spec).entries.some(isOpen) ? "" : say;
  return { status: questions.hasFailures() ? "stuck" : "waits", text };
}

/** Does jobs one after the other, or a group at the same time. Returns why the run cannot go on, if it cannot. */
async function doJobs(drive: Drive, jobs: readonly Job[]): Promise<DriveEnd | undefined> {
  const { coordinator, ground, teller } = drive;
  const width = Math.min(drive.parallel, jobs.length);
  if (ground.apart !== undefined && width > 1) return doApart(drive, jobs, width, ground.apart);
  for (const job of jobs) {
    const ended = await doJob(drive, job, ground, async (reported) => {
      const isClaimed = claimsCompletion(reported.report);
      if (isClaimed) teller.verifying(job);
      const entry = await coordinator.hear(job, reported);
      teller.verdict(job, entry, { isClaimed });
      if (reported.edited !== undefined && entry?.event === "done" && entry.left !== undefined)
        drive.stage.emit({ kind: "note", text: `${job.id}: ${tellLeftAlone(entry.left)}` });
      return { entry: doubt(drive, job, entry, reported) };
    });
    if (ended !== undefined) return ended;
  }
  return undefined;
}
