import { parseFiles } from "./fields.ts";
import type { Task, TaskList } from "./model.ts";
import { isParallel } from "./tags.ts";

/** How many executors one message may start. */
export const GROUP_LIMIT = 5;

/** How many a runner has in hand at once: it starts the next as soon as one has ended, however few work together. */
export const RUNNER_GROUP_LIMIT = 32;

/**
 * The tasks to hand out together with `task`: its neighbours marked `[P]` in the same phase that
 * share no file. Done members still count, so that a group does not grow as it empties.
 */
export function groupOf(list: TaskList, task: Task): readonly Task[] {
  if (!isParallel(task)) return [task];
  let start = task.index;
  while (isBeside(task, list.tasks[start - 1])) start--;

  let group: Task[] = [];
  let files = new Set<string>();
  for (let i = start; isBeside(task, list.tasks[i]); i++) {
    const next = list.tasks[i] as Task;
    const own = parseFiles(list, next);
    const isFull =
      group.length === (list.widest ?? GROUP_LIMIT) || own.some((file) => files.has(file));
    if (isFull || waitsForOne(list, next, group)) {
      if (group.includes(task)) break;
      group = [];
      files = new Set();
    }
    group.push(next);
    for (const file of own) files.add(file);
  }
  return group;
}

/** Whether it says that it depends on one of them. A rough test will do: separating two tasks costs little. */
function waitsForOne(list: TaskList, task: Task, group: readonly Task[]): boolean {
  const text = list.lines.slice(task.line - 1, task.endLine).join("");
  return /depend/i.test(text) && group.some(({ id }) => text.includes(id));
}

const isBeside = (task: Task, other: Task | undefined): boolean =>
  other !== undefined && isParallel(other) && other.phase === task.phase;
