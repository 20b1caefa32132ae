import type { VerifyOptions, VerifyRunner } from "../exec/verify-runner.ts";
import { readHeadCommit } from "../git/history.ts";
import type { Evidence } from "../run/claim/evidence.ts";
import type { Spec } from "../store/spec.ts";
import type { Check } from "../tasks/verify/verify.ts";
import { listUncommitted } from "./read-work.ts";
import type { Request } from "./request.ts";

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
  { project: { root } }: Spec,
  { checks, head, env, timeoutMs }: DueChecks,
): Promise<Evidence[]> {
  const commit = checks.length === 0 ? "" : await readHeadCommit(root, head, signal());
  return runInOrder(verifier, checks, { root, commit, timeoutMs, env, signal: signal() });
}

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
