import { parseDependencies } from "./dependencies.ts";
import { treeAt } from "./edit/movable-blocks.ts";
import type { Task, TaskList } from "./model.ts";
import { helpedIds, isVerifyTask } from "./tags.ts";

/**
 * The tasks of these ids, and every open task that has to wait for one of them: what depends on it in words, by its
 * files or as a part, and each check that comes after it. A task's own sub-tasks, fixes and parts go with it.
 */
export function findHeld(list: TaskList, ids: readonly string[]): ReadonlySet<string> {
  const wanted = new Set(ids.map((id) => id.toLowerCase()));
  const direct = list.tasks.filter(({ id }) => wanted.has(id.toLowerCase()));
  const open = direct.filter(({ checked }) => !checked);
  const waiting = open.length === 0 ? [] : findWaiting(list, open);
  return new Set([...direct, ...waiting].map(({ id }) => id));
}

/** By the index of a task: the indexes of others. */
type Edges = readonly number[][];

function findWaiting(list: TaskList, open: readonly Task[]): readonly Task[] {
  const { below, above } = readFamilies(list);
  const after = above.map((around) => [...around]);
  for (const { task, on } of parseDependencies(list).all) after[on]?.push(task);
  const found = new Set(open);
  reach(list, found, below);
  for (;;) {
    reach(list, found, after);
    const known = found.size;
    const first = list.tasks.findIndex((task) => found.has(task));
    const ids = new Set([...found].map(({ id }) => id));
    // An id that is used twice holds both: nobody could say which is meant.
    for (const task of list.tasks.slice(first + 1))
      if (!task.checked && (isVerifyTask(task) || ids.has(task.id))) found.add(task);
    if (found.size === known) return [...found];
  }
}

/** What is nested in a task or helps it, and what a task is nested in or helps. */
function readFamilies(list: TaskList): { readonly below: Edges; readonly above: Edges } {
  const below = list.tasks.map((): number[] => []);
  const above = list.tasks.map((): number[] => []);
  const around: { readonly first: number; readonly end: number }[] = [];
  for (const task of list.tasks) {
    while ((around.at(-1)?.end ?? Infinity) <= task.index) around.pop();
    const outer = around.at(-1)?.first;
    if (outer !== undefined) {
      below[outer]?.push(task.index);
      above[task.index]?.push(outer);
    }
    around.push(treeAt(list, task));
  }
  const byId = new Map(
    list.tasks
      .filter(({ checked }) => !checked)
      .toReversed()
      .map(({ id, index }) => [id.toUpperCase(), index]),
  );
  for (const task of list.tasks)
    for (const id of helpedIds(task)) {
      const helped = byId.get(id);
      if (helped === undefined) continue;
      below[helped]?.push(task.index);
      above[task.index]?.push(helped);
    }
  return { below, above };
}

/** Adds every open task that the edges lead to. */
function reach({ tasks }: TaskList, found: Set<Task>, edges: Edges): void {
  // A set that grows while it is walked: each task comes once.
  for (const { index } of found)
    for (const next of edges[index] ?? []) {
      const task = tasks[next];
      if (task !== undefined && !task.checked) found.add(task);
    }
}
