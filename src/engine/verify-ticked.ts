import { isAgreedRed } from "../run/agreement.ts";
import type { Evidence } from "../run/claim/evidence.ts";
import { isGiven, settledBy } from "../run/claim/settled.ts";
import { judgeEvidence } from "../run/claim/verification.ts";
import { pendingFor } from "../run/inbox.ts";
import { readInbox } from "../store/inbox.ts";
import { readAllEntries, readDisk } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import type { Task } from "../tasks/model.ts";
import type { Check } from "../tasks/verify/verify.ts";
import type { Request } from "./request.ts";
import { guardList, planChecks } from "./run-checks.ts";
import { tasksOf } from "./with-run.ts";

/** Where the work of a spec is checked once more. */
export interface Checkout {
  readonly root: string;
  readonly commit: string;
  readonly signal: AbortSignal;
}

interface TickedTask {
  readonly task: Task;
  /** Ticked before the run: the user's word, which only they take back. */
  readonly isGiven: boolean;
}

interface DueTask extends TickedTask {
  readonly checks: readonly Check[];
  /** Why its Verify may not be run. */
  readonly barred: string | undefined;
}

export interface CheckedTask extends TickedTask {
  readonly evidence: readonly Evidence[];
  /** Why it does not hold, if so. */
  readonly why: string | undefined;
}

/**
 * The ticked tasks that a Verify has to prove, whoever ticked them. What the user accepted or skipped is their decision,
 * and the test of a [RED] task fails only before the work.
 */
export function listTicked(spec: Spec): DueTask[] {
  const disk = readDisk(spec);
  const list = tasksOf(spec, disk.tasks);
  const entries = readAllEntries(spec);
  const inbox = readInbox(spec);
  return list.tasks.flatMap((task) => {
    const isDecided =
      settledBy(entries, task) === "accepted" ||
      pendingFor(inbox, task.id).some(({ kind }) => kind === "skip");
    if (!task.checked || isDecided) return [];
    const { agreed, checks, policy, question, ...plan } = planChecks(spec, list, task, disk);
    if (policy !== "required" || isAgreedRed(agreed, task)) return [];
    const barred =
      question !== undefined
        ? `${task.id}: its Verify is not the one that was agreed to.`
        : plan.barred && `${task.id} cannot be proven: ${plan.note}.`;
    if (barred === undefined && checks.length === 0) return [];
    return [{ task, isGiven: isGiven(agreed.given, entries, task), checks, barred }];
  });
}

/**
 * Runs the Verify of every ticked task once more, in the order of the list: a file that git ignores, or that a later
 * task removed, proves nothing. Each command runs only once; one that the user has not agreed to is not run, and its
 * task does not hold.
 */
export async function verifyTicked(
  { verifier }: Pick<Request, "verifier">,
  spec: Spec,
  { root, commit, signal }: Checkout,
  tell: (task: Task, command: string) => void = () => undefined,
): Promise<CheckedTask[]> {
  const options = {
    root,
    commit,
    timeoutMs: spec.project.settings.verifyTimeoutSeconds * 1000,
    env: readDisk(spec).record?.env,
    signal,
  };
  const guarded = guardList(verifier, spec);
  const known = new Map<string, Evidence>();
  const checked: CheckedTask[] = [];
  for (const { checks, barred, ...ticked } of listTicked(spec)) {
    const { task } = ticked;
    const evidence: Evidence[] = [];
    for (const check of barred === undefined ? checks : []) {
      const key = JSON.stringify(check);
      if (!known.has(key)) tell(task, check.command);
      const ran = known.get(key) ?? (await guarded.run(check, options));
      known.set(key, ran);
      evidence.push(ran);
      if (ran.outcome !== "passed") break;
    }
    checked.push({ ...ticked, evidence, why: barred ?? judgeEvidence(task, evidence) });
  }
  return checked;
}
