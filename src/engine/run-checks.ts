import type { VerifyOptions, VerifyRunner } from "../exec/verify-runner.ts";
import { readHeadCommit } from "../git/history.ts";
import {
  type Agreement,
  commandsOf,
  NOTHING,
  type Question,
  questionOf,
} from "../run/agreement.ts";
import type { Evidence } from "../run/claim/evidence.ts";
import { planVerification } from "../run/claim/verification.ts";
import type { Disk } from "../run/decision.ts";
import { evidencePolicy } from "../run/trust.ts";
import type { Spec } from "../store/spec.ts";
import { readAgreement } from "../store/vault.ts";
import type { Task, TaskList } from "../tasks/model.ts";
import type { Check } from "../tasks/verify/verify.ts";
import { keepMarks } from "./keep-marks.ts";
import { listUncommitted } from "./read-work.ts";
import type { Request } from "./request.ts";

/**
 * What proves a task in a run, and the question that the user has to answer before it is run, if any. Settings that an
 * agent edits meanwhile do not weaken it.
 */
export function planChecks(
  spec: Spec,
  list: TaskList,
  task: Task,
  { record }: Pick<Disk, "record">,
) {
  const { settings } = spec.project;
  const policy = evidencePolicy(settings, record);
  const agreed = readAgreement(spec) ?? NOTHING;
  const question = policy === "off" ? undefined : questionOf(agreed, task, commandsOf(list, task));
  const plan = planVerification(list, task, { ...settings, evidence: policy });
  return { ...plan, policy, agreed, question };
}

/** What to run, and in which surroundings. */
export interface DueChecks extends Pick<VerifyOptions, "env"> {
  readonly checks: readonly Check[];
  readonly head: string;
  readonly timeoutMs: number;
}

export interface RanChecks {
  readonly evidence: readonly Evidence[];
  /** Files that are uncommitted since. */
  readonly left?: readonly string[];
}

/** More would only fill the journal. */
const MAX_LEFT = 50;

/** In the project as it is, while nobody else is at work: what lies there afterwards and did not before is theirs. */
export async function watchChecks(
  request: Request,
  spec: Spec,
  due: DueChecks,
): Promise<RanChecks> {
  if (due.checks.length === 0) return { evidence: [] };
  const before = listUncommitted(spec);
  const evidence = await runChecks(request, spec, due);
  // Without knowing what was there before, nobody is cleared of anything.
  const after = before === undefined ? [] : (listUncommitted(spec) ?? []);
  const old = new Set(before);
  const left = after.filter((name) => !old.has(name));
  return left.length === 0 ? { evidence } : { evidence, left: left.slice(0, MAX_LEFT) };
}

/** In the project as it is. */
export async function runChecks(
  { verifier, signal }: Request,
  spec: Spec,
  { checks, head, env, timeoutMs }: DueChecks,
): Promise<Evidence[]> {
  const { root } = spec.project;
  const commit = checks.length === 0 ? "" : await readHeadCommit(root, head, signal());
  const options = { root, commit, timeoutMs, env, signal: signal() };
  return runInOrder(guardList(verifier, spec), checks, options);
}

/** A command that changes the list of tasks proves nothing. Wherever it runs, it may know where the list is. */
export const guardList = (verifier: VerifyRunner, spec: Spec): VerifyRunner => ({
  async run(check, options) {
    const putBack = keepMarks(spec);
    const ran = await verifier.run(check, options).catch(async (error: unknown) => {
      await putBack();
      throw error;
    });
    const changed = await putBack();
    if (changed.length === 0) return ran;
    const named = `${changed.slice(0, MAX_CHANGED).join(", ")}${changed.length > MAX_CHANGED ? ", …" : ""}`;
    const why = `while it ran, ${spec.basePath}/tasks.md was changed by no command of ours (${named}), and that was put back`;
    return { ...ran, outcome: "failed", why, meddled: true };
  },
});

const MAX_CHANGED = 5;

/** One after the other, stopping at a failure: the first that fails is what the agent has to fix. */
export async function runInOrder(
  verifier: VerifyRunner,
  checks: readonly Check[],
  options: VerifyOptions,
): Promise<Evidence[]> {
  const evidence: Evidence[] = [];
  for (const check of checks) {
    const result = await verifier.run(check, options);
    evidence.push(result);
    if (result.outcome !== "passed") break;
  }
  return evidence;
}
