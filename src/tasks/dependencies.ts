import { findRoots, readSegments, type Segment } from "./edit/movable-blocks.ts";
import { findPaths, parseFiles } from "./fields.ts";
import type { Task, TaskList } from "./model.ts";
import { sequence } from "./order/topological-order.ts";
import { indexIds } from "./references.ts";
import { readStatedDependencies } from "./stated-dependencies.ts";

/** `task` waits for `on`; both are indexes of tasks. */
export interface Dependency {
  readonly task: number;
  readonly on: number;
  /**
   * In words; by `[FIX x.y]`, whose task is tried again after it; or `on` creates a file that `task` lists too, or
   * that it only uses, in a step or its Verify command.
   */
  readonly kind: "stated" | "fix" | "file" | "use";
  /** Where it is stated; for a file, the line of the task that uses it. */
  readonly line: number;
  readonly file?: string;
}

/** Whether the file says so, in words or by a tag. */
export const isStated = ({ kind }: Dependency): boolean => kind === "stated" || kind === "fix";

export interface UnknownId {
  readonly id: string;
  readonly line: number;
}

export interface Dependencies {
  /** One for each pair of tasks: words before files, each in the order of the lines. */
  readonly all: readonly Dependency[];
  /** By the index of the task that is waited for, without mere use of its files. */
  readonly dependants: readonly (readonly Dependency[])[];
  readonly unknown: readonly UnknownId[];
  /** Whether the words can be obeyed without leaving a phase or crossing a wall. */
  readonly inOrder: boolean;
}

/** Who waits for whom. Phases do not matter here: nothing moves across them anyway. */
export function parseDependencies(list: TaskList): Dependencies {
  const ids = indexIds(list);
  const count = list.tasks.length;
  const found = new Map<number, Dependency>();
  const add = (one: Dependency): void => {
    const key = one.task * count + one.on;
    if (!found.has(key)) found.set(key, one);
  };

  const unknown = readStatedDependencies(list, ids, add);
  const stated = [...found.values()];
  const ranks = rankTasks(readSegments(list, ids), stated, count);
  readFiles(list, ranks, (one) => {
    // Across phases, the words may contradict the files: then the words count.
    if (!found.has(one.on * count + one.task)) add(one);
  });

  const dependants: Dependency[][] = list.tasks.map(() => []);
  for (const one of found.values())
    if (one.on !== one.task && one.kind !== "use") dependants[one.on]?.push(one);
  const inOrder = stated.every(
    ({ kind, task, on }) => kind === "fix" || (ranks[on] as number) < (ranks[task] as number),
  );
  return { all: [...found.values()], dependants, unknown, inOrder };
}

/**
 * The place of each task once its segment obeys what is stated. This, not the order in the file, decides who creates a
 * file: "1.1 depends on 1.2" makes 1.2 the creator of what both name. It is the same after the tasks are sorted, so
 * sorting twice changes nothing.
 */
function rankTasks(
  segments: readonly Segment[],
  stated: readonly Dependency[],
  count: number,
): number[] {
  const ranks = Array.from({ length: count }, (_, i) => i);
  if (stated.every(({ task, on }) => on < task)) return ranks;
  for (const [i, edges] of edgesWithin(segments, stated, count).entries()) {
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

/** For each segment and each of its blocks: the blocks that must come after it. */
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

/**
 * The first task that lists a file creates it, later ones use it; within a task and its sub-tasks that says nothing.
 */
function readFiles(list: TaskList, ranks: readonly number[], add: (one: Dependency) => void): void {
  const roots = findRoots(list);
  const byRank: Task[] = [];
  for (const task of list.tasks) byRank[ranks[task.index] as number] = task;
  const makers = new Map<string, number>();
  for (const task of byRank) {
    const { index, line } = task;
    const wait = (file: string, kind: Dependency["kind"]): void => {
      const on = makers.get(file);
      if (on !== undefined && roots[on] !== roots[index])
        add({ task: index, on, kind, line, file });
    };
    for (const file of parseFiles(list, task)) {
      wait(file, "file");
      if (!makers.has(file)) makers.set(file, index);
    }
    const text = list.lines.slice(line - 1, task.endLine).join("");
    for (const file of findPaths(text)) wait(file, "use");
  }
}
