import { BlockReader } from "../../text/blocks.ts";
import { isParallel } from "../groups.ts";
import { BOM, columnAfter, indentOf, isBlank, readBullet } from "../../text/lines.ts";
import { fixedBy, type Ids, indexIds } from "../references.ts";
import type { Task, TaskList } from "../model.ts";

/** A task with the sub-tasks nested in it, and their text: it moves as a whole. */
export interface Unit {
  /** Index of its task; the sub-tasks follow. */
  readonly first: number;
  /** Index behind its last task. */
  readonly end: number;
  readonly line: number;
  /** The last line that is not blank. */
  readonly endLine: number;
}

export function readUnits(list: TaskList): Unit[] {
  const units: Unit[] = [];
  for (let index = 0; index < list.tasks.length;) {
    const unit = unitAt(list, list.tasks[index] as Task);
    units.push(unit);
    index = unit.end;
  }
  return units;
}

/** A task, at whatever depth, with all that is nested in it. */
export function unitAt(list: TaskList, task: Task): Unit {
  const own = list.lines[task.line - 1] as string;
  const column = columnAfter(indentOf(own));
  const { content } = readBullet(own);
  let { endLine } = task;
  let end = task.index + 1;
  for (;;) {
    const next = list.tasks[end];
    const heading = list.phases[task.phase + 1]?.line ?? list.lines.length + 1;
    const limit = Math.min(next?.line ?? Infinity, heading);
    let isWhole = true;
    for (let line = endLine + 1; line < limit; line++) {
      const text = list.lines[line - 1] as string;
      if (isBlank(text)) continue;
      isWhole = columnAfter(indentOf(text)) > column;
      if (!isWhole) break;
      endLine = line;
    }
    const isNested =
      isWhole &&
      next?.line === limit &&
      columnAfter(indentOf(list.lines[next.line - 1] as string)) >= content;
    if (!isNested) return { first: task.index, end, line: task.line, endLine };
    end++;
    ({ endLine } = next);
  }
}

/** Units that move together: a run of `[P]` neighbours, a task with the fixes right behind it, a test-first cycle. */
export interface Block {
  readonly units: readonly Unit[];
  readonly first: number;
  readonly end: number;
}

/** Blocks that may change places: nothing but blank lines between them, and no wall. */
export interface Segment {
  readonly blocks: readonly Block[];
  readonly first: number;
  readonly end: number;
  /**
   * Only text stands between this segment and one beside it, and both hold `[P]` tasks: sorted, a run of
   * the one could come to stand next to a run of the other, and they would go out together.
   */
  readonly locked: boolean;
}

/**
 * A wall is what keeps its place, and nothing crosses it: `[VERIFY]`, and what is done, because a
 * record of the past is not sorted. Loose text between tasks is one too (it speaks about what stands
 * above or below it), as is `2.` above a `2.1` beside it, which is a heading in all but name.
 */
export function readSegments(list: TaskList, ids: Ids = indexIds(list)): Segment[] {
  const parents = parentIds(list);
  const units = readUnits(list);
  const blocks: (Block & { units: Unit[]; end: number; fixed: boolean; joins: boolean })[] = [];
  for (const [i, unit] of units.entries()) {
    const before = units[i - 1];
    const block = blocks.at(-1);
    const joins = before !== undefined && adjoins(list, before, unit);
    const fixed = isFixed(list, unit, parents);
    const runs = before !== undefined && runsOn(list, unit.first);
    const follows = runs || fixes(list, unit, block, ids) || goesOn(list, before, unit);
    if (block !== undefined && joins && follows) {
      block.units.push(unit);
      block.end = unit.end;
      block.fixed ||= fixed;
      continue;
    }
    // A run of [P] tasks that a line of text cuts in two is still one run: both halves stay.
    if (runs && block !== undefined) block.fixed = true;
    blocks.push({ units: [unit], first: unit.first, end: unit.end, fixed: fixed || runs, joins });
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
    if (!mayMeet(list, segment, next)) continue;
    segment.locked = true;
    next.locked = true;
  }
  return segments;
}

function mayMeet(list: TaskList, above: Segment, below: Segment): boolean {
  const ends = above.blocks.map(({ end }) => list.tasks[end - 1] as Task);
  const starts = below.blocks.map(({ first }) => list.tasks[first] as Task);
  return ends[0]?.phase === starts[0]?.phase && ends.some(isParallel) && starts.some(isParallel);
}

/** Whether the task and the one before it are neighbours of one parallel run. */
export function runsOn(list: TaskList, index: number): boolean {
  const task = list.tasks[index];
  const before = list.tasks[index - 1];
  if (task === undefined || before === undefined) return false;
  return before.phase === task.phase && isParallel(before) && isParallel(task);
}

/**
 * Same phase, blank lines between, and alike in indentation: behind a task that is indented less,
 * one that is indented more would become its sub-task.
 */
function adjoins(list: TaskList, before: Unit, unit: Unit): boolean {
  if (list.tasks[before.first]?.phase !== list.tasks[unit.first]?.phase) return false;
  for (let line = before.endLine + 1; line < unit.line; line++) {
    if (!isBlank(list.lines[line - 1] as string)) return false;
  }
  return shapeOf(list, before) === shapeOf(list, unit);
}

function shapeOf(list: TaskList, unit: Unit): string {
  const line = list.lines[unit.line - 1] as string;
  return indentOf(line) + "-".repeat(readBullet(line).bullet.length);
}

const CYCLE = ["RED", "GREEN", "YELLOW"];

/** First the test that fails, then the code, then the tidying: sorted apart they would make no sense. */
function goesOn(list: TaskList, before: Unit | undefined, unit: Unit): boolean {
  const step = (index: number): number =>
    CYCLE.findIndex((tag) => list.tasks[index]?.tags.includes(tag) === true);
  const last = before === undefined ? -1 : step(before.first);
  return last !== -1 && step(unit.first) > last;
}

const fixes = (list: TaskList, unit: Unit, block: Block | undefined, ids: Ids): boolean =>
  block !== undefined &&
  fixedBy(list.tasks[unit.first] as Task, ids).some((at) => at >= block.first && at < block.end);

/** Whole numbers that other ids continue: `2` where there is a `2.1`. */
function parentIds(list: TaskList): Set<string> {
  const parents = new Set<string>();
  for (const { id } of list.tasks) {
    const dot = id.indexOf(".");
    if (dot !== -1) parents.add(id.slice(0, dot));
  }
  return parents;
}

function isFixed(list: TaskList, unit: Unit, parents: ReadonlySet<string>): boolean {
  const tasks = list.tasks.slice(unit.first, unit.end);
  return (
    tasks.some((task) => task.checked || task.tags.includes("VERIFY")) ||
    (tasks.length === 1 && parents.has((tasks[0] as Task).id)) ||
    !isClosed(list, unit)
  );
}

/**
 * Whether a task may follow right behind. A code fence or HTML at the left margin that is still open
 * at the end of the unit would swallow whatever comes to stand there.
 */
export function isClosed(list: TaskList, unit: Unit): boolean {
  const reader = new BlockReader();
  const own = list.lines[unit.line - 1] as string;
  const column = columnAfter(indentOf(own));
  let depth = 1;
  for (let parent = 0; parent + 2 <= column; parent += 2, depth++) {
    reader.read(`${" ".repeat(parent)}- parent`);
  }
  for (let line = unit.line; line <= unit.endLine; line++) {
    const text = list.lines[line - 1] as string;
    reader.read(text, text.startsWith(BOM) ? 1 : 0);
  }
  return (
    reader.read(`${indentOf(own)}- probe`) === "text" &&
    reader.items === 1 &&
    reader.depth === depth
  );
}
