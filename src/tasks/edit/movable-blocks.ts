import { BlockReader } from "../../text/blocks.ts";
import { findQuotedLines } from "../../text/heredocs.ts";
import { BOM, columnAfter, indentOf, isBlank, readBullet } from "../../text/lines.ts";
import type { Task, TaskList } from "../model.ts";
import { helpedTasks, type Ids, indexIds } from "../references.ts";
import { cycleStep, isParallel, isVerifyTask } from "../tags.ts";

/** A task with the sub-tasks nested in it, and their text: it moves as a whole. */
export interface TaskTree {
  /** Index of its task; the sub-tasks follow. */
  readonly first: number;
  /** Index after its last task. */
  readonly end: number;
  readonly line: number;
  /** The last line that is not blank. */
  readonly endLine: number;
}

function readTrees(list: TaskList): TaskTree[] {
  const trees: TaskTree[] = [];
  for (let index = 0; index < list.tasks.length;) {
    const tree = treeAt(list, list.tasks[index] as Task);
    trees.push(tree);
    index = tree.end;
  }
  return trees;
}

/** By the index of a task: the index of the task that its tree begins with. */
export const findRoots = (list: TaskList): number[] =>
  readTrees(list).flatMap(({ first, end }) => Array<number>(end - first).fill(first));

/** A task, at whatever depth, with all that is nested in it. */
export function treeAt(list: TaskList, task: Task): TaskTree {
  const own = list.lines[task.line - 1] as string;
  const column = columnAfter(indentOf(own));
  const { content } = readBullet(own);
  const heading = list.phases[task.phase + 1]?.line ?? list.lines.length + 1;
  let { endLine } = task;
  let end = task.index + 1;
  for (let line = endLine + 1; line < heading; line++) {
    const text = list.lines[line - 1] as string;
    if (isBlank(text)) continue;
    const next = list.tasks[end];
    const isTask = next?.line === line;
    if (columnAfter(indentOf(text)) < (isTask ? content : column + 1)) break;
    if (isTask) end++;
    endLine = isTask ? next.endLine : line;
    line = endLine;
  }
  return { first: task.index, end, line: task.line, endLine };
}

/** Tasks that move together: a run of `[P]` neighbours, a task with the fixes right after it, a test-first cycle. */
export interface Block {
  readonly trees: readonly TaskTree[];
  readonly first: number;
  readonly end: number;
}

/** Blocks that may change places: nothing but blank lines between them, and no wall. */
export interface Segment {
  readonly blocks: readonly Block[];
  readonly first: number;
  readonly end: number;
  /**
   * Only text separates this segment from the next, and both hold `[P]` tasks: sorted, a run of one could end up next
   * to a run of the other, and they would go out together.
   */
  readonly locked: boolean;
}

/**
 * A wall keeps its place, and nothing crosses it: `[VERIFY]`, and what is done, because a record of the past is not
 * sorted. Loose text between tasks is one too (it is about what comes before or after it), and so is `2.` right above
 * `2.1`, which is a heading in all but name.
 */
export function readSegments(list: TaskList, ids: Ids = indexIds(list)): Segment[] {
  // Whole numbers that other ids continue: `2` if there is a `2.1`.
  const parents = new Set(list.tasks.flatMap(({ id }) => /^(.+?)\./.exec(id)?.[1] ?? []));
  const trees = readTrees(list);
  const blocks: (Block & { trees: TaskTree[]; end: number; fixed: boolean; joins: boolean })[] = [];
  for (const [i, tree] of trees.entries()) {
    const before = trees[i - 1];
    const block = blocks.at(-1);
    const joins = before !== undefined && isAdjacent(list, before, tree);
    const fixed = isWall(list, tree, parents);
    const runs = before !== undefined && continuesRun(list, tree.first);
    const follows =
      runs || helpsBlock(list, tree, block, ids) || continuesCycle(list, before, tree);
    if (block !== undefined && joins && follows) {
      block.trees.push(tree);
      block.end = tree.end;
      block.fixed ||= fixed;
      continue;
    }
    // A run of [P] tasks that a line of text cuts in two is still one run: both halves stay.
    if (runs && block !== undefined) block.fixed = true;
    blocks.push({ trees: [tree], first: tree.first, end: tree.end, fixed: fixed || runs, joins });
  }

  const segments: (Segment & { blocks: Block[]; end: number; locked: boolean })[] = [];
  let open = false;
  for (const block of blocks) {
    const segment = segments.at(-1);
    if (!block.fixed && open && block.joins && segment !== undefined) {
      segment.blocks.push(block);
      segment.end = block.end;
    } else if (!block.fixed) {
      const { first, end } = block;
      segments.push({ blocks: [block], first, end, locked: false });
    }
    open = !block.fixed;
  }
  for (const [i, segment] of segments.entries()) {
    const next = segments[i + 1];
    if (next === undefined || segment.end !== next.first) continue;
    if (!couldMeet(list, segment, next)) continue;
    segment.locked = true;
    next.locked = true;
  }
  return segments;
}

function couldMeet(list: TaskList, above: Segment, below: Segment): boolean {
  const ends = above.blocks.map(({ end }) => list.tasks[end - 1] as Task);
  const starts = below.blocks.map(({ first }) => list.tasks[first] as Task);
  return ends[0]?.phase === starts[0]?.phase && ends.some(isParallel) && starts.some(isParallel);
}

/** Whether the task and the one before it are neighbours of one parallel run. */
export function continuesRun(list: TaskList, index: number): boolean {
  const task = list.tasks[index];
  const before = list.tasks[index - 1];
  if (task === undefined || before?.phase !== task.phase) return false;
  return isParallel(before) && isParallel(task);
}

/**
 * Same phase, only blank lines between, and the same indentation: after a task that is indented less, one that is
 * indented more would become its sub-task.
 */
function isAdjacent(list: TaskList, before: TaskTree, tree: TaskTree): boolean {
  if (list.tasks[before.first]?.phase !== list.tasks[tree.first]?.phase) return false;
  const isApart = list.lines.slice(before.endLine, tree.line - 1).every(isBlank);
  return isApart && readShape(list, before) === readShape(list, tree);
}

function readShape(list: TaskList, tree: TaskTree): string {
  const line = list.lines[tree.line - 1] as string;
  return indentOf(line) + "-".repeat(readBullet(line).bullet.length);
}

/** First the test that fails, then the code, then the tidying: sorted apart they would make no sense. */
function continuesCycle(list: TaskList, before: TaskTree | undefined, tree: TaskTree): boolean {
  const step = ({ first }: TaskTree): number => cycleStep(list.tasks[first] as Task);
  const last = before === undefined ? -1 : step(before);
  return last !== -1 && step(tree) > last;
}

const helpsBlock = (list: TaskList, tree: TaskTree, block: Block | undefined, ids: Ids): boolean =>
  block !== undefined &&
  helpedTasks(list.tasks[tree.first] as Task, ids).some(
    (at) => at >= block.first && at < block.end,
  );

function isWall(list: TaskList, tree: TaskTree, parents: ReadonlySet<string>): boolean {
  const tasks = list.tasks.slice(tree.first, tree.end);
  return (
    tasks.some((task) => task.checked || isVerifyTask(task)) ||
    (tasks.length === 1 && parents.has((tasks[0] as Task).id)) ||
    !isClosed(list, tree) ||
    // Next to another task, its `<<EOF` might find an end.
    findQuotedLines(list.lines.slice(tree.line - 1, tree.endLine)).unclosed.length > 0
  );
}

/**
 * Whether a task may follow directly. A code fence or HTML at the left margin that is still open at the end of the tree
 * would swallow it.
 */
export function isClosed(list: TaskList, tree: TaskTree): boolean {
  const reader = new BlockReader();
  const own = list.lines[tree.line - 1] as string;
  const column = columnAfter(indentOf(own));
  let depth = 1;
  for (let parent = 0; parent + 2 <= column; parent += 2, depth++) {
    reader.read(`${" ".repeat(parent)}- parent`);
  }
  const lines = list.lines.slice(tree.line - 1, tree.endLine);
  const { inside } = findQuotedLines(lines);
  for (const [i, text] of lines.entries()) {
    if (!inside.has(i)) reader.read(text, text.startsWith(BOM) ? 1 : 0);
  }
  return (
    reader.read(`${indentOf(own)}- probe`) === "text" &&
    reader.items === 1 &&
    reader.depth === depth
  );
}
