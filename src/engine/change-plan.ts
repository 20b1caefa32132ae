import type { RunStanding } from "../run/change/insert-tasks.ts";
import { type Addition, type Change, planAddition, planSplit } from "../run/change/plan-change.ts";
import { readAllEntries, writeTasks } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import type { TaskList } from "../tasks/model.ts";
import type { Request } from "./request.ts";
import { requireExecution, requireTask, type Run, withRun } from "./with-run.ts";

export type ChangedPlan =
  | { readonly kind: "refused"; readonly task: string; readonly why: string }
  | {
      readonly kind: "changed";
      readonly task: string;
      /** The same change was already made; nothing was written. */
      readonly already: boolean;
      readonly added: readonly string[];
      readonly list: TaskList;
    };

export const splitTask = (
  request: Request,
  spec: Spec,
  id: string,
  titles: readonly string[],
  reason: string,
): ChangedPlan =>
  withRun(request, spec, (run) => {
    requireExecution(run);
    const task = requireTask(run.list, id);
    return apply(run, task.id, planSplit(withJournal(run), task, titles, reason));
  });

export const addTask = (
  request: Request,
  spec: Spec,
  place: { readonly where: "before" | "after"; readonly id: string },
  addition: Addition,
  reason: string,
): ChangedPlan =>
  withRun(request, spec, (run) => {
    requireExecution(run);
    const task = requireTask(run.list, place.id);
    const change = planAddition(withJournal(run), task, place.where, addition, reason);
    return apply(run, task.id, change);
  });

const withJournal = (run: Run): RunStanding => ({ ...run, entries: readAllEntries(run.spec) });

function apply(run: Run, task: string, change: Change): ChangedPlan {
  if (change.kind === "refused") return { kind: "refused", task, why: `${change.why}.` };
  if (change.kind === "changed") {
    writeTasks(run.spec, change.tasks);
    run.apply(change.write);
  }
  const { ids: added, list } = change;
  return { kind: "changed", task, already: change.kind === "already", added, list };
}
