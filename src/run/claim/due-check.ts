import { groupOf } from "../../tasks/groups.ts";
import type { Task, TaskList } from "../../tasks/model.ts";
import type { HandOut, HandOutTask } from "../hand-out.ts";
import type { Loop } from "../journal.ts";

/** Whether a program can do a task: see `runnable-task.ts`, which a stop loads only if it has to ask. */
export type IsRunnable = (list: TaskList, task: Task) => boolean;

/**
 * The next task, if a program can do it: a [VERIFY] task that only names commands, or one whose work was done when its
 * Verify was replaced or had to be approved. It is run once; if it fails, an agent gets it.
 */
export function findDueCheck(
  { current }: HandOut,
  list: TaskList | undefined,
  { refusals }: Loop,
  isRunnable: IsRunnable,
): Task | undefined {
  const [next] = current;
  if (list === undefined || next === undefined || current.length > 1) return undefined;
  const task = list.tasks[next.index] as Task;
  if (isRetryDue(next, list)) return task;
  if (!next.verify || next.attempt > 1 || refusals[next.id] !== undefined) return undefined;
  return isRunnable(list, task) ? task : undefined;
}

/** Whether a Verify that was replaced or approved after the work is still to be run. In a group nobody can tell whose work it was. */
export const isRetryDue = ({ index, history }: HandOutTask, list: TaskList): boolean =>
  history.isRetryDue && groupOf(list, list.tasks[index] as Task).length === 1;
