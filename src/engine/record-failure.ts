import { type Failure, planFailure } from "../run/change/recovery.ts";
import type { Entry } from "../run/journal.ts";
import { addProgressHistory } from "../store/progress.ts";
import { readAllEntries, writeTasks } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import type { Task } from "../tasks/model.ts";
import { readOwnCommits } from "./own-commits.ts";
import { MAX_NAMED, readWork } from "./read-work.ts";
import type { Request } from "./request.ts";
import { requireExecution, requireTask, type Run, withRun } from "./with-run.ts";

export type RecordedFailure =
  | { readonly kind: "refused"; readonly task: Task; readonly why: string }
  | ({
      readonly kind: "recorded";
      readonly task: Task;
      readonly maxAttempts: number;
      /** What went wrong on the way. */
      readonly notes: readonly string[];
      /** What the journal says about it; undefined if it has said so before. */
      readonly entry: Entry | undefined;
      readonly fix: Failure["fix"];
    } & Pick<Failure, "failed" | "left" | "repeated">);

export interface FailedAttempt {
  readonly id: string;
  readonly reason: string;
  /** The sub-agent that said so, if we heard it ourselves. */
  readonly agent?: string;
  /** Whether nothing of it is left on the branch. */
  readonly isGone?: boolean;
}

/** Counts a failed attempt at a task and, in recovery mode or for a check, adds a fix task. */
export const recordFailure = (
  request: Request,
  spec: Spec,
  attempt: FailedAttempt,
): RecordedFailure =>
  withRun(request, spec, (run) => {
    requireExecution(run);
    return record(run, requireTask(run.list, attempt.id), attempt);
  });

function record(run: Run, task: Task, { reason, agent, isGone }: FailedAttempt): RecordedFailure {
  if (task.checked) {
    const why = `${task.id} is ticked, so it has not failed; clear its box in tasks.md if that is wrong.`;
    return { kind: "refused", task, why };
  }
  const commitSpec = run.state.commitSpec === true;
  const { uncommitted } = readWork(run.spec, run.list, task, readAllEntries(run.spec), {
    commitSpec,
  });
  // Recorded, so that they are not taken for the next task's.
  const commits = isGone === true ? undefined : readOwnCommits(run, task);
  const failure = planFailure(run, run.disk.recent?.() ?? [], task, {
    reason,
    ...(agent === undefined ? {} : { agent }),
    ...(uncommitted.length === 0 ? {} : { uncommitted: uncommitted.slice(0, MAX_NAMED) }),
    ...(commits === undefined || commits.length === 0 ? {} : { commits }),
  });
  if (failure.tasks !== undefined) writeTasks(run.spec, failure.tasks);
  const [entry] = failure.writes.map((write) => run.apply(write));
  const fault =
    failure.history === undefined ? undefined : addProgressHistory(run.spec, failure.history);
  const notes = [failure.noFix, fault].filter((note) => note !== undefined);
  const { failed, left, repeated, fix } = failure;
  const { maxAttempts } = run.loop;
  return { kind: "recorded", task, failed, left, repeated, fix, notes, entry, maxAttempts };
}
