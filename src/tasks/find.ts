import type { Task, TaskList } from "./model.ts";

/** A task by id. If an id is used twice, the first open one is meant. */
export function findTask(list: TaskList, id: string): Task | undefined {
  const same = list.tasks.filter((task) => task.id.toLowerCase() === id.toLowerCase());
  return same.find((task) => !task.checked) ?? same[0];
}
