import { parseFiles } from "./fields.ts";
import { indexIds } from "./references.ts";
import { readSaid } from "./stated-dependencies.ts";
import { sequence } from "./order/topological-order.ts";
import type { Task, TaskList } from "./model.ts";
import { readSegments, readUnits, type Segment } from "./edit/movable-blocks.ts";

/** `task` waits for `on`; both are indexes of tasks. */
export interface Dependency {
  readonly task: number;
  readonly on: number;
  /** In words; by `[FIX x.y]`, whose task is tried again after it; or `on` makes a file that `task` uses. */
  readonly kind: "said" | "fix" | "file";
  /** Where it is said; for a file, the line of the task that uses it. */
  readonly line: number;
  readonly file?: string;
}

export interface UnknownId {
  readonly id: string;
  readonly line: number;
}

export interface Dependencies {
  /** One for each pair of tasks: words before files, each in the order of the lines. */
  readonly all: readonly Dependency[];
  /** By the index of the task that is waited for. */
  readonly dependants: readonly (readonly Dependency[])[];
  readonly unknown: readonly UnknownId[];
  /** Whether the words can be obeyed without leaving a phase or crossing a wall. */
  readonly inOrder: boolean;
}

/** Who waits for whom. Phases are no part of it: their order is a wall, not a wish. */
export function parseDependencies(list: TaskList): Dependencies {
  const ids = indexIds(list);
  const count = list.tasks.length;
  const found = new Map<number, Dependency>();
  const add = (one: Dependency): void => {
    const key = one.task * count + one.on;
    if (!found.has(key)) found.set(key, one);
  };

  const unknown = readSaid(list, ids, add);
  const said = [...found.values()];
  const ranks = rankTasks(readSegments(list, ids), said, count);
  readFiles(list, ranks, (one) => {
    // Across phases, words may say the opposite of what the files do: then the words count.
    if (!found.has(one.on * count + one.task)) add(one);
  });

  const dependants: Dependency[][] = list.tasks.map(() => []);
  for (const one of found.values()) if (one.on !== one.task) dependants[one.on]?.push(one);
  const inOrder = said.every(
    ({ kind, task, on }) => kind === "fix" || (ranks[on] as number) < (ranks[task] as number),
  );
  return { all: [...found.values()], dependants, unknown, inOrder };
}

/**
 * The place of each task once the words within its segment are obeyed. Who makes a file is read off
 * this, not off the file as it stands: "1.1 depends on 1.2" makes 1.2 the maker of what both name.
 * And it is the same after the tasks are sorted, so that sorting twice changes nothing.
 */
function rankTasks(
  segments: readonly Segment[],
  said: readonly Dependency[],
  count: number,
): number[] {
  const ranks = Array.from({ length: count }, (_, i) => i);
  if (said.every(({ task, on }) => on < task)) return ranks;
  for (const [i, edges] of edgesWithin(segments, said, count).entries()) {
    const { blocks, first } = segments[i] as Segment;
    const places = blocks.map((_, at) => at);
    let rank = first;
    for (const at of sequence(places, edges) ?? []) {
      const block = blocks[at];
      for (let task = block?.first ?? 0; task < (block?.end ?? 0); task++) ranks[task] = rank++;
    }
  }
  return ranks;
}

/** For each segment and each of its blocks: the blocks that must come behind it. */
export function edgesWithin(
  segments: readonly Segment[],
  dependencies: readonly Dependency[],
  count: number,
): number[][][] {
  const segmentOf = Array.from({ length: count }, () => -1);
  const blockOf = Array.from({ length: count }, () => -1);
  for (const [s, { blocks, first, end }] of segments.entries()) {
    segmentOf.fill(s, first, end);
    for (const [b, block] of blocks.entries()) blockOf.fill(b, block.first, block.end);
  }
  const edges = segments.map(({ blocks }) => blocks.map((): number[] => []));
  for (const { task, on } of dependencies) {
    const [block, before] = [blockOf[task] as number, blockOf[on] as number];
    if (segmentOf[task] !== segmentOf[on] || block === before) continue;
    edges[segmentOf[on] as number]?.[before]?.push(block);
  }
  return edges;
}

/** The first task that names a file makes it, later ones use it; within a task and its sub-tasks that says nothing. */
function readFiles(list: TaskList, ranks: readonly number[], add: (one: Dependency) => void): void {
  const unitOf: number[] = [];
  for (const [i, { first, end }] of readUnits(list).entries()) {
    for (let task = first; task < end; task++) unitOf[task] = i;
  }
  const byRank: Task[] = [];
  for (const task of list.tasks) byRank[ranks[task.index] as number] = task;
  const makers = new Map<string, number>();
  for (const { index, line } of byRank) {
    for (const file of parseFiles(list, list.tasks[index] as Task)) {
      const on = makers.get(file);
      if (on === undefined) makers.set(file, index);
      else if (unitOf[on] !== unitOf[index]) add({ task: index, on, kind: "file", line, file });
    }
  }
}
