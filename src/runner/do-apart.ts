import { commitMessage } from "../engine/commit-left.ts";
import { withRefusal } from "../prompts/merge.ts";
import { planCover } from "../run/claim/file-boundary.ts";
import { claimsCompletion } from "../run/claim/judge-claim.ts";
import { parseFiles } from "../tasks/fields.ts";
import { doJob, type DriveEnd, leave, type Reported, STOPPED, type Work } from "./do-job.ts";
import { doubt } from "./doubt.ts";
import { type ApartGround, inMerge, type Joining } from "./ground.ts";
import type { Job } from "./jobs.ts";
import { lostIn } from "./lost.ts";
import { planOrder } from "./plan-order.ts";
import { trackOpen } from "./retries.ts";
import { sleepUntil } from "./sleep.ts";
import { openSlots } from "./slots.ts";

/** How often agents try to resolve a conflict before the user is asked. */
const MAX_CONFLICTS = 2;

/**
 * Does jobs at the same time, each in its own tree, and merges them into the trunk one at a time, so that everything in
 * the trunk was verified there. Returns why the run cannot go on, if it cannot.
 */
export async function doApart(
  work: Work,
  jobs: readonly Job[],
  width: number,
  openGround: (job: Job) => Promise<ApartGround>,
): Promise<DriveEnd | undefined> {
  const waiting = [...jobs];
  const queue = openSlots(1);
  const open = trackOpen(work, queue);
  let busy = 0;
  let ended: DriveEnd | undefined;
  let isBroken = false;
  const isOver = (): boolean => ended !== undefined || isBroken || work.stage.signal.aborted;
  const doOne = async (job: Job): Promise<void> => {
    const ground = await queue(() => openGround(job));
    try {
      const end = await doJob(work, job, ground, (reported) =>
        queue(() => bringBack(work, job, { ground, jobs, reported })),
      );
      ended ??= end;
    } finally {
      if (lostIn(work.stage) === undefined) await queue(async () => ground.close());
    }
    open.noteEnded(job);
  };
  const next = async (): Promise<void> => {
    while (!isOver()) {
      const job = waiting.shift() ?? (await open.take());
      if (job !== undefined) {
        busy++;
        await doOne(job).finally(() => busy--);
      } else if (busy === 0 || open.isEmpty()) return;
      else await sleepUntil(Date.now() + LOOK_MS, [work.stage.signal]);
    }
  };
  // Let every agent end before an error gets out: closing the run removes the trees that they work in.
  const all = await Promise.allSettled(
    Array.from({ length: width }, async () => {
      try {
        await next();
      } catch (error) {
        isBroken = true;
        throw error;
      }
    }),
  );
  const broken = all.find((one) => one.status === "rejected");
  if (broken !== undefined) throw broken.reason;
  return ended;
}

/** How often an idle worker looks for answers. */
const LOOK_MS = 1000;

interface Returning {
  readonly ground: ApartGround;
  /** The whole group. */
  readonly jobs: readonly Job[];
  readonly reported: Reported;
}

async function bringBack(
  work: Work,
  job: Job,
  { ground, jobs, reported }: Returning,
): Promise<DriveEnd | undefined> {
  const { coordinator, stage, teller } = work;
  const { agentId, report } = reported;
  const isClaimed = claimsCompletion(report);
  const weigh = async (merged: Pick<Reported, "since"> = {}): Promise<boolean> => {
    const entry = await coordinator.hear(job, { ...reported, ...merged });
    teller.verdict(job, entry, { isClaimed });
    doubt(work, job, entry, reported);
    return entry?.event === "done";
  };
  const refuse = (why: string): undefined => {
    coordinator.fail(job, agentId, why);
    teller.verdict(job, undefined, { reason: why });
  };
  // Work that its agent does not call done is not merged.
  if (!isClaimed) {
    await weigh();
    return undefined;
  }
  teller.verifying(job);
  // If nothing was merged meanwhile, the trunk will equal this tree, and one Verify is enough.
  const failed = ground.isBehind() ? await coordinator.tryIn(job, ground.cwd) : undefined;
  if (failed !== undefined) return refuse(failed);
  const joined = await join(work, job, { ground, jobs, reported });
  if (joined.kind === "left") return joined.end;
  if (joined.kind === "failed") return refuse(joined.why);
  const { name } = coordinator.spec;
  const { commit, before } = joined;
  const text = `${job.id} is in the run's branch (${commit.slice(0, 9)}), and is being checked there`;
  stage.emit({ kind: "note", text });
  let isDone = false;
  try {
    isDone = await weigh({ since: before });
  } finally {
    if (!isDone) joined.undo();
  }
  // Only now: what fails its Verify is taken out of the branch again.
  if (isDone)
    stage.emit({ kind: "merged", spec: name, task: job.id, attempt: job.attempt, commit });
  return undefined;
}

/** The user has to decide, or the run cannot go on. */
interface Left {
  readonly kind: "left";
  readonly end?: DriveEnd | undefined;
}

async function join(
  work: Work,
  job: Job,
  { ground, jobs, reported: { report } }: Returning,
): Promise<Exclude<Joining, { kind: "conflict" }> | Left> {
  const { coordinator, stage, questions, lease, signalFor } = work;
  const { spec, list } = coordinator;
  const task = list?.tasks.find(({ id }) => id === job.id);
  if (list === undefined || task === undefined) return { kind: "failed", why: "it is not listed" };
  const message = (isOnlyNotes: boolean): string => commitMessage(spec, list, task, isOnlyNotes);
  const isListed = planCover(parseFiles(list, task));
  const about = { spec: spec.name, task: job.id, attempt: job.attempt };
  // A Verify or an agent may have taken long.
  const bring = (): Joining | Left =>
    lease.isHeld()
      ? ground.bringBack(message, { isListed, report })
      : { kind: "left", end: STOPPED };
  let joined = bring();
  let refused: string | undefined;
  for (let round = 0; joined.kind === "conflict"; round++) {
    stage.emit({ kind: "conflict", ...about, files: joined.files });
    if (round === MAX_CONFLICTS) {
      const files = joined.files.slice(0, 5).join(", ");
      questions.askAgain(
        job,
        `${job.id} and a task that was merged before it both changed ${files}, and ${MAX_CONFLICTS} agents could not resolve the conflict. How should it be resolved?`,
      );
      return { kind: "left" };
    }
    const prompt = ground.beginConflict(job);
    if (prompt === undefined) refused = ground.finishConflict().failed;
    else {
      const title = `conflict of ${job.id}`;
      const merge: Job = { ...job, role: "merge", type: "spec-executor", title, of: MAX_CONFLICTS };
      const order = planOrder(work, merge, ground.cwd, withRefusal(prompt, refused));
      const executor = stage.executorIn(spec, inMerge(ground, ground.finishConflict));
      const on = { emit: stage.emit, signal: signalFor(job.id) };
      const { ending, rejected } = await executor.execute(order, on);
      if (ending.kind !== "turn" && ending.kind !== "failed")
        return { kind: "left", end: leave(work, job, ending) };
      refused = rejected;
    }
    if (refused !== undefined) continue;
    const lost = await findLost(work, ground, jobs);
    if (lost !== undefined) return { kind: "failed", why: lost };
    joined = bring();
  }
  return joined;
}

/** An agent that resolves a conflict may drop the other side: whatever was proven there must still hold. */
async function findLost(
  { coordinator }: Work,
  { cwd }: ApartGround,
  jobs: readonly Job[],
): Promise<string | undefined> {
  const done = new Set(coordinator.list?.tasks.filter((one) => one.checked).map(({ id }) => id));
  for (const job of jobs.filter(({ id }) => done.has(id))) {
    const failed = await coordinator.tryIn(job, cwd);
    if (failed !== undefined)
      return `With the conflict resolved, a task that was done no longer is: ${failed}`;
  }
  return undefined;
}
