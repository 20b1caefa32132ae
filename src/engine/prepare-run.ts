import { findDueCheck, isRetryDue } from "../run/claim/due-check.ts";
import { runnableUnder } from "../run/claim/runnable-task.ts";
import { hasVerdict } from "../run/claim/settled.ts";
import { findTrial, isUnworked } from "../run/claim/task-history.ts";
import { fitEvidence } from "../run/claim/verification.ts";
import { readyKey, RETRY } from "../run/hand-out.ts";
import type { Entry } from "../run/journal.ts";
import { TASK_COMPLETE, VERIFICATION_PASS } from "../run/signal.ts";
import { readAllEntries } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import type { Task } from "../tasks/model.ts";
import { isVerifyTask } from "../tasks/tags.ts";
import { writeAttempts, writeStanding } from "./attempts.ts";
import { refuse } from "./claim-verdict.ts";
import { hasChanged } from "./find-change.ts";
import type { Request } from "./request.ts";
import { type DueChecks, planChecks, type RanChecks, watchChecks } from "./run-checks.ts";
import { settleClaim } from "./settle-claim.ts";
import { handOutOf, isGoing, type Run, withRunAsync } from "./with-run.ts";

/** The work is not done yet, so most of them fail at once; the others are not worth waiting for. */
const TIMEOUT_MS = 20_000;

/**
 * Gets the next tasks ready to be handed out: each has a checkpoint, and the Verify of a new one is tried once. A Verify
 * that passes before any work proves little, and one that cannot run should not cost an attempt. Returns whether tasks
 * were done that only run commands.
 */
export async function prepareRun(
  request: Request,
  spec: Spec,
  /** Whether there is time to do tasks that only run commands. */
  { runsChecks = false }: { readonly runsChecks?: boolean } = {},
): Promise<boolean> {
  const deadline = Date.now() + MAX_MS;
  let hasRun = false;
  await getReady(request, spec);
  if (!runsChecks) return hasRun;
  for (;;) {
    const isDone = await runDueCheck(request, spec, deadline);
    if (isDone === undefined) return hasRun;
    hasRun ||= isDone;
    await getReady(request, spec);
  }
}

/** The client waits for this. */
const MAX_MS = 300_000;

/** A task that a program can do costs no agent. Returns whether it is done, or undefined if there is none. */
async function runDueCheck(
  request: Request,
  spec: Spec,
  deadline: number,
): Promise<boolean | undefined> {
  const due = await withRunAsync(request, spec, (run) => {
    const task = isGoing(run)
      ? findDueCheck(
          handOutOf(run, readAllEntries(spec)),
          run.list,
          run.loop,
          runnableUnder(spec.project.settings),
        )
      : undefined;
    if (task === undefined) return undefined;
    if (Date.now() <= deadline) {
      // Before it runs: whatever becomes of this process, it is not run again.
      const refusals = { ...run.loop.refusals, [task.id]: 1 };
      run.apply({ event: "ready", task: task.id, loop: { ...run.loop, refusals } });
      return { id: task.id };
    }
    const claim = { id: task.id, report: BY_PROGRAM, isByProgram: true };
    refuse(run, task, claim, `There was no time to run ${task.id}: run its commands.`, [], []);
    return { id: undefined };
  });
  if (due?.id === undefined) return due && false;
  const claim = { id: due.id, report: BY_PROGRAM, isByProgram: true };
  return (await settleClaim(request, spec, claim))?.kind === "done";
}

const BY_PROGRAM = `Run by the program.\n${VERIFICATION_PASS}\n${TASK_COMPLETE}`;

async function getReady(request: Request, spec: Spec): Promise<void> {
  const due = await withRunAsync(request, spec, (run) => {
    if (!isGoing(run)) return [];
    const entries = readAllEntries(spec);
    const brief = handOutOf(run, entries);
    if (brief.current.length === 0) return [];
    const isRetry = brief.current.some((task) => isRetryDue(task, run.list));
    const ready = readyKey(brief) + (isRetry ? RETRY : "");
    if (run.loop.ready !== ready) {
      writeStanding(spec, run.list, brief);
      writeAttempts(spec, brief, run.loop.ready);
      run.apply({ event: "ready", loop: { ...run.loop, ready } });
    }
    return brief.current.flatMap(({ index }) =>
      planTrial(run, run.list.tasks[index] as Task, entries),
    );
  });
  for (const { task, ...checks } of due) {
    const ran = await watchChecks(request, spec, checks);
    await withRunAsync(request, spec, (run) => note(run, task, ran));
  }
}

/** Nothing that the user has not agreed to is run. */
function planTrial(
  { spec, list, disk }: Run,
  task: Task,
  entries: readonly Entry[],
): (DueChecks & { readonly task: Task })[] {
  const { settings } = spec.project;
  const about = entries.filter((entry) => entry.task === task.id);
  const since = about.slice(about.findLastIndex(({ event }) => event === "undone") + 1);
  const isTried = findTrial(since) !== undefined || hasVerdict(since, task.id);
  if (!settings.verifyBefore || isVerifyTask(task) || isTried) return [];
  if (!isUnworked(about, () => hasChanged(spec, task, entries))) return [];
  const { checks, question } = planChecks(spec, list, task, disk);
  if (checks.length === 0 || question !== undefined) return [];
  const timeoutMs = Math.min(TIMEOUT_MS, settings.verifyTimeoutSeconds * 1000);
  return [{ task, checks, head: disk.head, env: disk.record?.env, timeoutMs }];
}

function note(run: Run, { id }: Task, { evidence, ...left }: RanChecks): void {
  const task = run.list.tasks.find((one) => one.id === id);
  // Somebody may have been quicker: then it was not before the work.
  if (task === undefined || task.checked) return;
  run.apply({
    event: "before",
    task: id,
    evidence: fitEvidence(evidence),
    ...left,
    loop: run.loop,
  });
}
