import { readHeadCommit } from "../git/history.ts";
import { commandsOf, NOTHING, questionOf } from "../run/agreement.ts";
import { judgeEvidence, planVerification } from "../run/claim/verification.ts";
import { evidencePolicy } from "../run/trust.ts";
import { readDisk, readTasks } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { readAgreement } from "../store/vault.ts";
import { isRed } from "../tasks/tags.ts";
import type { Request } from "./request.ts";
import { runInOrder } from "./run-checks.ts";
import { tasksOf } from "./with-run.ts";

/**
 * Runs the Verify of every ticked task of a spec again, in a tree that has more than the spec's own work. Returns why
 * tasks no longer hold. A command that the user has not agreed to is not run, and its task does not hold.
 */
export async function verifyTicked(
  request: Pick<Request, "verifier" | "signal">,
  spec: Spec,
  root: string,
): Promise<string[]> {
  const { settings } = spec.project;
  const list = tasksOf(spec, readTasks(spec));
  const { record } = readDisk(spec);
  const evidence = evidencePolicy(settings, record);
  if (evidence !== "required") return [];
  const agreed = readAgreement(spec) ?? NOTHING;
  const signal = request.signal();
  const commit = await readHeadCommit(root, "HEAD", signal);
  const failures: string[] = [];
  // The test of a red task fails only before the work.
  for (const task of list.tasks.filter((one) => one.checked && !isRed(one))) {
    const { checks } = planVerification(list, task, { ...settings, evidence });
    if (checks.length === 0) continue;
    if (questionOf(agreed, task, commandsOf(list, task)) !== undefined) {
      failures.push(`${task.id}: its Verify is not the one that was agreed to.`);
      continue;
    }
    const ran = await runInOrder(request.verifier, checks, {
      root,
      commit,
      timeoutMs: settings.verifyTimeoutSeconds * 1000,
      env: record?.env,
      signal,
    });
    const why = judgeEvidence(task, ran, { isByProgram: true });
    if (why !== undefined) failures.push(why);
  }
  return failures;
}
