import { connectTasks, type ConnectedTask } from "./connect.ts";
import type { ForeignTask } from "./foreign.ts";

export interface Ordered {
  readonly tasks: readonly ConnectedTask[];
  /** Titles of tasks that had to move after what they need. */
  readonly moved: readonly string[];
  /** Dependencies that cannot be kept: circles, and references to nothing, or to more than one task. */
  readonly dropped: readonly string[];
}

/**
 * The file's own order, unless a task comes before one that it depends on. Groups stay together if they can: otherwise
 * there are none.
 */
export function orderTasks(all: readonly ForeignTask[]): Ordered {
  const connected = connectTasks(all);
  const dropped = [...connected.dropped];
  const tasks = cutCircles(connected.tasks, dropped);
  const sorted = sortGroups(tasks) ?? sort(tasks).map((task) => ({ ...task, group: undefined }));
  const moved = sorted.filter(({ key }, i) => key < (sorted[i - 1]?.key ?? 0));
  return { tasks: sorted, moved: moved.map(({ title }) => title), dropped };
}

/** Depth first, without recursion: a chain may be as long as the list. Keys are places in the list. */
function cutCircles(tasks: readonly ConnectedTask[], dropped: string[]): ConnectedTask[] {
  const cut = tasks.map((task) => ({ ...task, needs: [...task.needs] }));
  const done = new Set<number>();
  for (const { key: from } of tasks) {
    const path: { key: number; next: number }[] = [{ key: from, next: 0 }];
    const open = new Set([from]);
    while (path.length > 0) {
      const top = path.at(-1) as { key: number; next: number };
      const task = cut[top.key] as ConnectedTask & { needs: number[] };
      const on = done.has(top.key) ? undefined : task.needs[top.next];
      if (on === undefined) {
        done.add(top.key);
        open.delete(top.key);
        path.pop();
      } else if (open.has(on)) {
        dropped.push(`"${task.title}" and "${cut[on]?.title}" wait for each other`);
        task.needs.splice(top.next, 1);
      } else {
        top.next++;
        if (!done.has(on)) {
          path.push({ key: on, next: 0 });
          open.add(on);
        }
      }
    }
  }
  return cut;
}

/** Undefined if two groups need each other. */
function sortGroups(tasks: readonly ConnectedTask[]): ConnectedTask[] | undefined {
  const groups: { key: number; tasks: ConnectedTask[] }[] = [];
  for (const task of tasks) {
    const last = groups.at(-1);
    if (last !== undefined && task.group !== undefined && last.tasks[0]?.group === task.group)
      last.tasks.push(task);
    else groups.push({ key: groups.length, tasks: [task] });
  }
  const groupOf = new Map(
    groups.flatMap(({ key: group, tasks: own }) => own.map(({ key }) => [key, group] as const)),
  );
  const connected = groups.map(({ key: group, tasks: own }) => {
    const needs = new Set(
      own.flatMap((task) => task.needs.map((key) => groupOf.get(key) as number)),
    );
    needs.delete(group);
    return { key: group, tasks: own, needs: [...needs] };
  });
  const sorted = sort(connected);
  const before = new Set<number>();
  for (const { key, needs } of sorted) {
    if (needs.some((one) => !before.has(one))) return undefined;
    before.add(key);
  }
  return sorted.flatMap(({ tasks: own }) => sort(own));
}

/** Again and again the first that waits for nothing that is left; in a circle, simply the first. */
function sort<T extends Pick<ConnectedTask, "key" | "needs">>(all: readonly T[]): T[] {
  const left = new Map(all.map((one) => [one.key, one]));
  const sorted: T[] = [];
  while (left.size > 0) {
    const ready = [...left.values()].filter(({ needs }) => !needs.some((key) => left.has(key)));
    const [next = [...left.values()][0] as T] = ready;
    // Once nothing waits any more, the rest goes at once: otherwise a long list takes the square of its length.
    const batch = ready.length === left.size ? ready : [next];
    for (const one of batch) {
      sorted.push(one);
      left.delete(one.key);
    }
  }
  return sorted;
}
