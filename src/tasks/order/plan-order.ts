import { type Dependency, edgesWithin, isStated, parseDependencies } from "../dependencies.ts";
import { type Block, readSegments, type Segment } from "../edit/movable-blocks.ts";
import type { Task, TaskList } from "../model.ts";
import { isParallel } from "../tags.ts";
import { type Score, scoreTasks } from "./score.ts";
import { readSigns } from "./signs.ts";
import { inheritStandings, readStandings } from "./standing.ts";
import { type Suggestion, suggestTags } from "./suggest.ts";
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
  /** Whether a task changes its place. */
  readonly moves: boolean;
  readonly suggestions: readonly Suggestion[];
}

/** The blocks that must come after each block: those that wait for it in any way, and those that say so. */
interface Followers {
  readonly all: readonly (readonly number[])[];
  readonly stated: readonly (readonly number[])[];
}

/** Where each block belongs, the lowest first. `inOrder` lists each block before its followers. */
type Rate = (
  blocks: readonly Block[],
  inOrder: readonly number[],
  followers: Followers,
) => readonly number[];

/**
 * The author's order stands unless something explicit moves a task: a stated dependency, a tag or a note. What words
 * and shared files hint at is only suggested; by score, they move tasks too. What moves is a block (a task with its
 * sub-tasks and fixes, or a parallel run), and only between the walls of its segment: phases, `[VERIFY]`, what is
 * done. A block never comes before one that it depends on, nor before the one that creates a file it uses.
 */
export function planOrder(
  list: TaskList,
  { byScore = false, weights = defaultWeights }: { byScore?: boolean; weights?: Weights } = {},
): Plan {
  const dependencies = parseDependencies(list);
  const signs = readSigns(list, dependencies);
  const scores = scoreTasks(list, signs, dependencies, weights);
  const rate: Rate = byScore
    ? (blocks) => blocks.map((block) => -highestScore(block, scores))
    : (blocks, inOrder, { all, stated }) =>
        inheritStandings(readStandings(list, signs, blocks), inOrder, all, stated);

  const order = list.tasks.map(({ index }) => index);
  const held: HeldSegment[] = [];
  const segments = readSegments(list);
  const edgesOf = (some: readonly Dependency[]): number[][][] =>
    edgesWithin(segments, some, list.tasks.length);
  const all = edgesOf(dependencies.all);
  const stated = edgesOf(dependencies.all.filter(isStated));
  for (const [i, segment] of segments.entries()) {
    if (segment.blocks.length === 1) continue;
    const followers = { all: all[i] as number[][], stated: stated[i] as number[][] };
    const blocks = sortBlocks(list, segment, followers, rate);
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
    ...(byScore ? {} : { tagsToAdd: [], notesToAdd: [] }),
  }));
  return {
    tasks,
    order,
    held,
    moves: order.some((index, at) => index !== at),
    suggestions: byScore ? [] : suggestTags(list, signs),
  };
}

const highestScore = ({ first, end }: Block, scores: readonly Score[]): number =>
  scores.slice(first, end).reduce((most, { total }) => Math.max(most, total), -Infinity);

/**
 * The blocks of a segment in their new order. Two parallel runs that end up side by side would
 * be one run and go out together, so something else must stay between them; if the greedy choice
 * finds nothing, the segment keeps its author's order.
 */
function sortBlocks(
  list: TaskList,
  { blocks, first, end, locked }: Segment,
  followers: Followers,
  rate: Rate,
): readonly Block[] | HeldSegment["reason"] {
  if (locked) return "parallel";
  const places = blocks.map((_, i) => i);
  const inOrder = sequence(places, followers.all);
  if (inOrder === undefined) return "cycle";
  const rates = rate(blocks, inOrder, followers);
  const ranks: number[] = [];
  const byRate = places.toSorted((a, b) => (rates[a] as number) - (rates[b] as number) || a - b);
  for (const [rank, place] of byRate.entries()) ranks[place] = rank;

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
  const order = sequence(ranks, followers.all, choose);
  if (order === undefined) return "parallel";
  if (tails[order.at(-1) as number] && runs(end)) return "parallel";
  return order.map((i) => blocks[i] as Block);
}
