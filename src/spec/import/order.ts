import type { ForeignTask } from "./foreign.ts";

export interface Ordered {
  readonly tasks: readonly ForeignTask[];
  /** Titles of what had to move behind what it needs. */
  readonly moved: readonly string[];
  /** What cannot be kept: circles, and references to nothing. */
  readonly dropped: readonly string[];
}

/**
 * The file's own order, unless a task comes before one that it depends on. Groups stay together if they can: otherwise
 * there are none.
 */
export function orderTasks(all: readonly ForeignTask[]): Ordered {
  const byId = new Map(all.map((task) => [task.id, task]));
  const dropped: string[] = [];
  const known = all.map((task): ForeignTask => {
    const [here, gone] = [
      task.dependsOn.filter((id) => byId.has(id)),
      task.dependsOn.filter((id) => !byId.has(id)),
    ];
    if (gone.length > 0)
      dropped.push(
        `"${task.title}" depends on ${[...new Set(gone)].slice(0, 5).join(", ")}, which is not in the list`,
      );
    return { ...task, dependsOn: [...new Set(here)].filter((id) => id !== task.id) };
  });
  const tasks = cutCircles(known, dropped);
  const byGroup = sortGroups(tasks);
  const sorted =
    byGroup ??
    sort(
      tasks,
      ({ id }) => id,
      ({ dependsOn }) => dependsOn,
    ).map((task) => ({ ...task, group: undefined }));
  const place = new Map(tasks.map((task, i) => [task.id, i]));
  const moved = sorted.filter((task, i) => {
    const earlier = sorted
      .slice(Math.max(0, i - 1), i)
      .some((one) => (place.get(one.id) as number) > (place.get(task.id) as number));
    return earlier;
  });
  return { tasks: sorted, moved: moved.map(({ title }) => title), dropped };
}

/** Depth first, without recursion: a chain may be as long as the list. */
function cutCircles(tasks: readonly ForeignTask[], dropped: string[]): ForeignTask[] {
  const byId = new Map(tasks.map((task) => [task.id, { ...task, dependsOn: [...task.dependsOn] }]));
  const done = new Set<string>();
  for (const { id: from } of tasks) {
    const path: { id: string; next: number }[] = [{ id: from, next: 0 }];
    const open = new Set([from]);
    while (path.length > 0) {
      const top = path.at(-1) as { id: string; next: number };
      const task = byId.get(top.id) as ForeignTask & { dependsOn: string[] };
      const on = done.has(top.id) ? undefined : task.dependsOn[top.next];
      if (on === undefined) {
        done.add(top.id);
        open.delete(top.id);
        path.pop();
      } else if (open.has(on)) {
        dropped.push(`"${task.title}" and "${byId.get(on)?.title}" wait for each other`);
        task.dependsOn.splice(top.next, 1);
      } else {
        top.next++;
        if (!done.has(on)) {
          path.push({ id: on, next: 0 });
          open.add(on);
        }
      }
    }
  }
  return tasks.map(({ id }) => byId.get(id) as ForeignTask);
}

/** Undefined if two groups need each other. */
function sortGroups(tasks: readonly ForeignTask[]): ForeignTask[] | undefined {
  const groups: { name: string; tasks: ForeignTask[] }[] = [];
  for (const task of tasks) {
    const last = groups.at(-1);
    if (last !== undefined && task.group !== undefined && last.tasks[0]?.group === task.group)
      last.tasks.push(task);
    else groups.push({ name: String(groups.length), tasks: [task] });
  }
  const groupOf = new Map(
    groups.flatMap(({ name, tasks: own }) => own.map(({ id }) => [id, name] as const)),
  );
  const needs = new Map(
    groups.map(({ name, tasks: own }) => [
      name,
      [
        ...new Set(
          own.flatMap(({ dependsOn }) => dependsOn.map((id) => groupOf.get(id) as string)),
        ),
      ].filter((one) => one !== name),
    ]),
  );
  const sorted = sort(
    groups,
    ({ name }) => name,
    ({ name }) => needs.get(name) ?? [],
  );
  const before = new Set<string>();
  for (const { name } of sorted) {
    if ((needs.get(name) ?? []).some((one) => !before.has(one))) return undefined;
    before.add(name);
  }
  return sorted.flatMap(({ tasks: own }) =>
    sort(
      own,
      ({ id }) => id,
      ({ dependsOn }) => dependsOn,
    ),
  );
}

/** Again and again the first that waits for nothing that is left; in a circle, simply the first. */
function sort<T>(
  all: readonly T[],
  idOf: (one: T) => string,
  needs: (one: T) => readonly string[],
): T[] {
  const left = new Map(all.map((one) => [idOf(one), one]));
  const sorted: T[] = [];
  while (left.size > 0) {
    const ready = [...left.values()].filter((one) => !needs(one).some((id) => left.has(id)));
    const [next = [...left.values()][0] as T] = ready;
    // What is ready and next to each other goes at once: otherwise a long list takes the square of its length.
    const batch = ready.length === left.size ? ready : [next];
    for (const one of batch) {
      sorted.push(one);
      left.delete(idOf(one));
    }
  }
  return sorted;
}
