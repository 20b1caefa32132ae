import { readHeadCommit } from "../git/history.ts";
import { commandsOf, NOTHING, questionOf } from "../run/agreement.ts";
import { judgeEvidence, planVerification } from "../run/claim/verification.ts";
import { evidencePolicy } from "../run/trust.ts";
import type { Spec } from "../store/spec.ts";
import { readAgreement } from "../store/vault.ts";
import type { Request } from "./request.ts";
import { guardList, runInOrder } from "./run-checks.ts";
import { requireTask, withRunAsync } from "./with-run.ts";

/**
 * Runs a task's Verify in another tree of the same project, before its work is merged here. Returns why it fails, if it
 * does. A command that the user has not agreed to is not run; the claim that follows handles it.
 */
export async function verifyElsewhere(
  request: Request,
  spec: Spec,
  id: string,
  root: string,
): Promise<string | undefined> {
  const { settings } = spec.project;
  const due = await withRunAsync(request, spec, ({ list, disk }) => {
    const task = requireTask(list, id);
    const evidence = evidencePolicy(settings, disk.record);
    const agreed = readAgreement(spec) ?? NOTHING;
    const isAgreed = questionOf(agreed, task, commandsOf(list, task)) === undefined;
    const { checks } = planVerification(list, task, { ...settings, evidence });
    const isDue = evidence === "required" && isAgreed && checks.length > 0;
    return isDue ? { task, checks, env: disk.record?.env } : undefined;
  });
  if (due === undefined) return undefined;
  const signal = request.signal();
  const evidence = await runInOrder(guardList(request.verifier, spec), due.checks, {
    root,
    commit: await readHeadCommit(root, "HEAD", signal),
    timeoutMs: settings.verifyTimeoutSeconds * 1000,
    env: due.env,
    signal,
  });
  return judgeEvidence(due.task, evidence);
}
