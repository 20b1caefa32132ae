import { parseFiles } from "./fields.ts";
import type { Task, TaskList } from "./types.ts";

/** As many executors as one message may start. */
export const GROUP_LIMIT = 5;

export const isParallel = (task: Task): boolean =>
  task.tags.includes("P") && !task.tags.includes("VERIFY");

/**
 * The tasks to hand out together with `task`: its neighbours marked `[P]` in the same phase that
 * share no file with one another. Done members stay in the reckoning, so that a group does not grow as it empties.
 */
export function groupOf(list: TaskList, task: Task): readonly Task[] {
  if (!isParallel(task)) return [task];
  let start = task.index;
  while (continues(list, start)) start--;
  return partition(list, start).find((group) => group.includes(task)) ?? [task];
}

function continues(list: TaskList, index: number): boolean {
  const before = list.tasks[index - 1];
  const task = list.tasks[index];
  return before !== undefined && isParallel(before) && before.phase === task?.phase;
}

function partition(list: TaskList, start: number): Task[][] {
  const first = list.tasks[start] as Task;
  const groups: Task[][] = [[first]];
  let files = new Set(parseFiles(list, first));
  for (let i = start + 1; i < list.tasks.length; i++) {
    const task = list.tasks[i] as Task;
    if (!isParallel(task) || task.phase !== first.phase) break;
    const own = parseFiles(list, task);
    const group = groups.at(-1) as Task[];
    if (group.length < GROUP_LIMIT && own.every((file) => !files.has(file))) {
      group.push(task);
      for (const file of own) files.add(file);
    } else {
      groups.push([task]);
      files = new Set(own);
    }
  }
  return groups;
}
