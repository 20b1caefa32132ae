import { readHeadCommit } from "../git/history.ts";
import { judgeEvidence } from "../run/claim/verification.ts";
import type { Spec } from "../store/spec.ts";
import type { Request } from "./request.ts";
import { guardList, planChecks, runInOrder } from "./run-checks.ts";
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
    const { checks, policy, question } = planChecks(spec, list, task, disk);
    const isDue = policy === "required" && question === undefined && checks.length > 0;
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
