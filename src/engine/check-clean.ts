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

/** A commit that is checked out with nothing else, and the project in it. */
export interface Checkout {
  readonly root: string;
  readonly commit: string;
  readonly signal: AbortSignal;
}

/** A task that was proven where it was done, and is not in a clean checkout. */
export interface Unheld {
  readonly id: string;
  readonly why: string;
  readonly evidence: readonly Evidence[];
}

/** How many tasks are to be checked, if the run would end now: everything is ticked, and nobody has to look at it. */
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

/** Opens the tasks again that do not hold in a clean checkout: whoever is sent next is told why. */
export async function checkClean(
  request: Request,
  spec: Spec,
  checkout: Checkout,
  tell: (task: Task, command: string) => void,
): Promise<readonly Unheld[]> {
  const unheld = await findUnheld(request, spec, checkout, tell);
  for (const { id, why, evidence } of unheld)
    await withRunAsync(request, spec, (run) => {
      const task = run.list.tasks.find((one) => one.id === id && one.checked);
      if (task !== undefined) refuse(run, task, { id, report: null }, why, evidence, []);
    });
  return unheld;
}

/** What a Verify has proven during the run. The user's own word is not asked again. */
function listProven(spec: Spec): { readonly task: Task; readonly checks: readonly Check[] }[] {
  const { settings } = spec.project;
  const list = tasksOf(spec, readTasks(spec));
  const evidence = evidencePolicy(settings, readDisk(spec).record);
  if (evidence !== "required") return [];
  const receipt = planReceipt(list, readAllEntries(spec));
  return list.tasks.flatMap((task, i) => {
    // The test of a red task fails only before the work.
    if (!task.checked || isRed(task) || receipt[i]?.evidence.length === 0) return [];
    const { checks } = planVerification(list, task, { ...settings, evidence });
    return checks.length === 0 || !isAgreed(spec, list, task) ? [] : [{ task, checks }];
  });
}

/** What was changed since it was proven waits for the user, and is not run here. */
const isAgreed = (spec: Spec, list: TaskList, task: Task): boolean =>
  questionOf(readAgreement(spec) ?? NOTHING, task, commandsOf(list, task)) === undefined;

/**
 * Runs what was proven once more, where only committed files are, in the order of the list: a file that git ignores, or
 * that a later task has removed, proves nothing. The same command is run once.
 */
async function findUnheld(
  { verifier }: Pick<Request, "verifier">,
  spec: Spec,
  { root, commit, signal }: Checkout,
  tell: (task: Task, command: string) => void,
): Promise<Unheld[]> {
  const options = {
    root,
    commit,
    timeoutMs: spec.project.settings.verifyTimeoutSeconds * 1000,
    env: readDisk(spec).record?.env,
    signal,
  };
  const known = new Map<string, Evidence>();
  const unheld: Unheld[] = [];
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
    if (why !== undefined) unheld.push({ id: task.id, why: `${NOT_CLEAN} ${why}`, evidence });
  }
  return unheld;
}

const NOT_CLEAN =
  "It does not hold in a clean checkout of the branch, which has only what is committed, and all of it.";
