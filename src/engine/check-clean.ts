import { commandsOf, NOTHING, questionOf } from "../run/agreement.ts";
import type { Evidence } from "../run/claim/evidence.ts";
import { planReceipt } from "../run/claim/receipt.ts";
import { judgeEvidence, planVerification } from "../run/claim/verification.ts";
import { isReviewDue } from "../run/review.ts";
import { evidencePolicy } from "../run/trust.ts";
import { readAllEntries, readDisk, readTasks } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { readAgreement } from "../store/vault.ts";
import type { Task, TaskList } from "../tasks/model.ts";
import { isRed } from "../tasks/tags.ts";
import type { Check } from "../tasks/verify/verify.ts";
import { refuse } from "./claim-verdict.ts";
import type { Request } from "./request.ts";
import { isGoing, tasksOf, withRunAsync } from "./with-run.ts";

/** A clean checkout of a commit, and the project's folder in it. */
export interface Checkout {
  readonly root: string;
  readonly commit: string;
  readonly signal: AbortSignal;
}

/** A task that was proven where it was done, but fails in a clean checkout. */
export interface RecheckFailure {
  readonly id: string;
  readonly why: string;
  readonly evidence: readonly Evidence[];
}

/** How many tasks to check if the run is about to end, with every box ticked and no review due; otherwise 0. */
export async function countAtEnd(request: Request, spec: Spec): Promise<number> {
  if (readDisk(spec).state.kind !== "ok") return 0;
  const isAtEnd = await withRunAsync(
    request,
    spec,
    (run) =>
      isGoing(run) &&
      run.list.tasks.every(({ checked }) => checked) &&
      !isReviewDue(spec.project.settings, run.state, run.loop),
  );
  return isAtEnd ? listProven(spec).length : 0;
}

/** Reopens the tasks that fail in a clean checkout. The next agent is told why. */
export async function checkClean(
  request: Request,
  spec: Spec,
  checkout: Checkout,
  tell: (task: Task, command: string) => void,
): Promise<readonly RecheckFailure[]> {
  const failures = await findFailures(request, spec, checkout, tell);
  for (const { id, why, evidence } of failures)
    await withRunAsync(request, spec, (run) => {
      const task = run.list.tasks.find((one) => one.id === id && one.checked);
      if (task !== undefined) refuse(run, task, { id, report: null }, why, evidence, []);
    });
  return failures;
}

/** The tasks that a Verify has proven. What the user accepted is not checked again. */
function listProven(spec: Spec): { readonly task: Task; readonly checks: readonly Check[] }[] {
  const { settings } = spec.project;
  const list = tasksOf(spec, readTasks(spec));
  const evidence = evidencePolicy(settings, readDisk(spec).record);
  if (evidence !== "required") return [];
  const receipt = planReceipt(list, readAllEntries(spec));
  return list.tasks.flatMap((task, i) => {
    // The test of a [RED] task has to fail, which it does only before the work.
    if (!task.checked || isRed(task) || receipt[i]?.evidence.length === 0) return [];
    const { checks } = planVerification(list, task, { ...settings, evidence });
    return checks.length === 0 || !isAgreed(spec, list, task) ? [] : [{ task, checks }];
  });
}

/** False if the command was changed since: then it waits for the user, and is not run here. */
const isAgreed = (spec: Spec, list: TaskList, task: Task): boolean =>
  questionOf(readAgreement(spec) ?? NOTHING, task, commandsOf(list, task)) === undefined;

/**
 * Runs every proven Verify once more in a clean checkout, in the order of the list: a file that git ignores, or that a
 * later task removed, proves nothing. Each command runs only once.
 */
async function findFailures(
  { verifier }: Pick<Request, "verifier">,
  spec: Spec,
  { root, commit, signal }: Checkout,
  tell: (task: Task, command: string) => void,
): Promise<RecheckFailure[]> {
  const options = {
    root,
    commit,
    timeoutMs: spec.project.settings.verifyTimeoutSeconds * 1000,
    env: readDisk(spec).record?.env,
    signal,
  };
  const known = new Map<string, Evidence>();
  const failures: RecheckFailure[] = [];
  for (const { task, checks } of listProven(spec)) {
    const evidence: Evidence[] = [];
    for (const check of checks) {
      const key = JSON.stringify(check);
      if (!known.has(key)) tell(task, check.command);
      const ran = known.get(key) ?? (await verifier.run(check, options));
      known.set(key, ran);
      evidence.push(ran);
      if (ran.outcome !== "passed") break;
    }
    const why = judgeEvidence(task, evidence);
    if (why !== undefined) failures.push({ id: task.id, why: `${NOT_CLEAN} ${why}`, evidence });
  }
  return failures;
}

const NOT_CLEAN =
  "It does not hold in a clean checkout of the branch, which has only what is committed, and all of it.";
