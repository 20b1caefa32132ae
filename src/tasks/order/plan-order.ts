import { edgesWithin, parseDependencies } from "../dependencies.ts";
import { type Block, readSegments, type Segment } from "../edit/movable-blocks.ts";
import type { Task, TaskList } from "../model.ts";
import { isParallel } from "../tags.ts";
import { type Score, scoreTasks } from "./score.ts";
import { sequence } from "./topological-order.ts";
import { defaultWeights, type Weights } from "./weights.ts";

export interface PlannedTask extends Score {
  readonly index: number;
  readonly id: string;
  /** Position in the file, before and after. */
  readonly from: number;
  readonly to: number;
}

/** A stretch of tasks that was left in its order, and why. */
interface HeldSegment {
  readonly line: number;
  readonly reason: "cycle" | "parallel";
}

export interface Plan {
  /** In the order of the file. */
  readonly tasks: readonly PlannedTask[];
  /** Indexes of the tasks in their new order. */
  readonly order: readonly number[];
  readonly held: readonly HeldSegment[];
  /** Whether applying it changes anything. */
  readonly changes: boolean;
}

/**
 * Sorts tasks by score, the highest first, ties in the order of the file. What moves is a block (a task
 * with its sub-tasks and fixes, or a parallel run), and only between the walls of its segment: phases,
 * `[VERIFY]`, what is done. A block never comes before one that it depends on.
 */
export function planOrder(list: TaskList, weights: Weights = defaultWeights): Plan {
  const dependencies = parseDependencies(list);
  const scores = scoreTasks(list, dependencies, weights);
  const order = list.tasks.map(({ index }) => index);
  const held: HeldSegment[] = [];
  const segments = readSegments(list);
  const edges = edgesWithin(segments, dependencies.all, list.tasks.length);
  for (const [i, segment] of segments.entries()) {
    if (segment.blocks.length === 1) continue;
    const blocks = sortBlocks(list, segment, edges[i] as number[][], scores);
    if (typeof blocks === "string") {
      const line = (list.tasks[segment.first] as Task).line;
      held.push({ line, reason: blocks });
      continue;
    }
    let at = segment.first;
    for (const { first, end } of blocks)
      for (let task = first; task < end; task++) order[at++] = task;
  }
  const to = new Map(order.map((index, at) => [index, at]));
  const tasks = list.tasks.map(({ index, id }) => ({
    index,
    id,
    from: index,
    to: to.get(index) as number,
    ...(scores[index] as Score),
  }));
  const changes = tasks.some(
    (task) => task.from !== task.to || task.tagsToAdd.length > 0 || task.notesToAdd.length > 0,
  );
  return { tasks, order, held, changes };
}

/**
 * The blocks of a segment in their new order. Two parallel runs that end up side by side would
 * be one run and go out together, so something else must stay between them; if the greedy choice
 * finds nothing, the segment keeps its author's order.
 */
function sortBlocks(
  list: TaskList,
  { blocks, first, end, locked }: Segment,
  edges: readonly (readonly number[])[],
  scores: readonly Score[],
): readonly Block[] | HeldSegment["reason"] {
  if (locked) return "parallel";
  const places = blocks.map((_, i) => i);
  if (sequence(places, edges) === undefined) return "cycle";
  const totals = blocks.map((block) =>
    scores
      .slice(block.first, block.end)
      .reduce((most, { total }) => Math.max(most, total), -Infinity),
  );
  const ranks: number[] = [];
  const byScore = places.toSorted((a, b) => (totals[b] as number) - (totals[a] as number) || a - b);
  for (const [rank, place] of byScore.entries()) ranks[place] = rank;

  const phase = list.tasks[first]?.phase;
  const runs = (index: number): boolean => {
    const task = list.tasks[index];
    return task !== undefined && task.phase === phase && isParallel(task);
  };
  const heads = blocks.map((block) => runs(block.first));
  const tails = blocks.map((block) => runs(block.end - 1));
  const isRun = (i: number): boolean => heads[i] === true && tails[i] === true;
  const isPlain = (i: number): boolean => heads[i] !== true && tails[i] !== true;
  const left = { runs: places.filter(isRun).length, plain: places.filter(isPlain).length };

  const choose = (free: readonly number[], last: number | undefined) => {
    const endsRun = last === undefined ? runs(first - 1) : tails[last];
    const fits = (i: number): boolean => !(endsRun && heads[i]);
    // Enough plain blocks must remain to separate the runs that are still to come.
    const leavesEnough = (i: number): boolean =>
      (tails[i] ? 1 : 0) + left.runs - (isRun(i) ? 1 : 0) <= left.plain - (isPlain(i) ? 1 : 0) + 1;
    const chosen = free.find((i) => fits(i) && leavesEnough(i)) ?? free.find(fits);
    if (chosen !== undefined && isRun(chosen)) left.runs--;
    if (chosen !== undefined && isPlain(chosen)) left.plain--;
    return chosen;
  };
  const order = sequence(ranks, edges, choose);
  if (order === undefined) return "parallel";
  if (tails[order.at(-1) as number] && runs(end)) return "parallel";
  return order.map((i) => blocks[i] as Block);
}
