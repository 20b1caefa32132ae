import type { Task, TaskList } from "../../tasks/model.ts";
import type { HandOut } from "../hand-out.ts";
import type { Loop } from "../journal.ts";

/** Whether a program can do a task: see `runnable-task.ts`, which a stop loads only if it has to ask. */
export type IsRunnable = (list: TaskList, task: Task) => boolean;

/**
 * The next task, if a program can do it: a [VERIFY] task that only names commands. It is run once; if it fails, an
 * agent gets it.
 */
export function findDueCheck(
  { current }: HandOut,
  list: TaskList | undefined,
  { refusals }: Loop,
  isRunnable: IsRunnable,
): Task | undefined {
  const [next] = current;
  if (list === undefined || next?.verify !== true || current.length > 1) return undefined;
  if (next.attempt > 1 || refusals[next.id] !== undefined) return undefined;
  const task = list.tasks[next.index] as Task;
  return isRunnable(list, task) ? task : undefined;
}
