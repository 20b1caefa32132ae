import { EXECUTION } from "../layouts/layout.ts";
import { commandsOf, NOTHING, questionOf } from "../run/agreement.ts";
import { hasVerdict } from "../run/claim/receipt.ts";
import { findTrial } from "../run/claim/task-history.ts";
import { fitEvidence, planVerification } from "../run/claim/verification.ts";
import { readyKey } from "../run/hand-out.ts";
import type { Entry } from "../run/journal.ts";
import { isWaiting } from "../run/state.ts";
import { readAllEntries } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { readAgreement } from "../store/vault.ts";
import type { Task } from "../tasks/model.ts";
import { isVerifyTask } from "../tasks/tags.ts";
import { writeAttempts } from "./attempts.ts";
import type { Request } from "./request.ts";
import { type DueChecks, type RanChecks, watchChecks } from "./run-checks.ts";
import { handOutOf, type Run, withRunAsync } from "./with-run.ts";

/** The work is not done yet, so most of them fail at once; the others are not worth waiting for. */
const TIMEOUT_MS = 20_000;

/**
 * Gets the next tasks ready to be handed out: each has a checkpoint, and the Verify of a new one is tried once. A Verify
 * that passes before any work proves little, and one that cannot run should not cost an attempt.
 */
export async function prepareRun(request: Request, spec: Spec): Promise<void> {
  const due = await withRunAsync(request, spec, (run) => {
    if (run.state.phase !== EXECUTION || isWaiting(run.state)) return [];
    const brief = handOutOf(run);
    if (brief.current.length === 0) return [];
    const ready = readyKey(brief);
    if (run.loop.ready !== ready) {
      writeAttempts(spec, brief, run.loop.ready);
      run.apply({ event: "ready", loop: { ...run.loop, ready } });
    }
    const entries = readAllEntries(spec);
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
  const isNew = findTrial(about) === undefined && !about.some(({ event }) => event === "heard");
  if (!settings.verifyBefore || isVerifyTask(task) || !isNew || hasVerdict(entries, task.id))
    return [];
  const agreed = readAgreement(spec) ?? (disk.record === undefined ? undefined : NOTHING);
  if (agreed === undefined || questionOf(agreed, task, commandsOf(list, task)) !== undefined)
    return [];
  const { checks } = planVerification(list, task, settings);
  if (checks.length === 0) return [];
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
