import { type Failure, planFailure } from "../run/change/recovery.ts";
import { addProgressHistory } from "../store/progress.ts";
import { writeTasks } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import type { Task } from "../tasks/model.ts";
import { writeAttempts } from "./attempts.ts";
import type { Request } from "./request.ts";
import { handOutOf, requireExecution, requireTask, type Run, withRun } from "./with-run.ts";

export type RecordedFailure =
  | { readonly kind: "refused"; readonly task: Task; readonly why: string }
  | ({
      readonly kind: "recorded";
      readonly task: Task;
      readonly maxAttempts: number;
      /** What went wrong on the way. */
      readonly notes: readonly string[];
      readonly fix: Failure["fix"];
    } & Pick<Failure, "failed" | "left" | "repeated">);

/** Counts a failed attempt at a task and, in recovery mode, adds a fix task. */
export function recordFailure(
  request: Request,
  spec: Spec,
  id: string,
  reason: string,
): RecordedFailure {
  const { out, recorded } = withRun(request, spec, (run) => {
    requireExecution(run);
    const task = requireTask(run.list, id);
    const others = handOutOf(run).current.filter((one) => one.id !== task.id);
    return { out: new Set(others.map((one) => one.id)), recorded: record(run, task, reason) };
  });
  withRun(request, spec, (run) => writeAttempts(spec, handOutOf(run), out));
  return recorded;
}

function record(run: Run, task: Task, reason: string): RecordedFailure {
  if (task.checked) {
    const why = `${task.id} is ticked, so it has not failed; clear its box in tasks.md if that is wrong.`;
    return { kind: "refused", task, why };
  }
  const failure = planFailure(run, run.disk.last, task, reason);
  if (failure.tasks !== undefined) writeTasks(run.spec, failure.tasks);
  for (const write of failure.writes) run.apply(write);
  const fault =
    failure.history === undefined ? undefined : addProgressHistory(run.spec, failure.history);
  const notes = [failure.noFix, fault].filter((note) => note !== undefined);
  const { failed, left, repeated, fix } = failure;
  const { maxAttempts } = run.loop;
  return { kind: "recorded", task, failed, left, repeated, fix, notes, maxAttempts };
}
