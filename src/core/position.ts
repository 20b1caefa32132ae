import { groupOf } from "../tasks/groups.ts";
import type { Task, TaskList } from "../tasks/types.ts";

/** Where a spec stands, read off its boxes. The state's index is only a cache of this. */
export interface Position {
  readonly index: number;
  readonly total: number;
  readonly open: readonly Task[];
  /** What is due now: one task, or the members of a parallel group that are still open. */
  readonly current: readonly Task[];
}

export function locate(list: TaskList): Position {
  const open = list.tasks.filter((task) => !task.checked);
  const first = open[0];
  return {
    index: first?.index ?? list.tasks.length,
    total: list.tasks.length,
    open,
    current: first === undefined ? [] : groupOf(list, first).filter((task) => !task.checked),
  };
}
