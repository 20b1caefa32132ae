import { BOM, eolOf, readLeaves } from "../../text/lines.ts";
import { addTags, placeNotes } from "./notes.ts";
import { parseTasks } from "../parse.ts";
import { renameIds } from "./rename.ts";
import { planIds } from "./renumber.ts";
import type { Task, TaskList } from "../model.ts";
import { readSegments, type Unit } from "./movable-blocks.ts";

/** What to do to a list: core's `Plan` is one. */
export interface Reordering {
  /** The indexes of the tasks in their new order. */
  readonly order: readonly number[];
  readonly tasks: readonly {
    readonly index: number;
    readonly tagsToAdd: readonly string[];
    readonly notesToAdd: readonly string[];
  }[];
}

/**
 * The file with its tasks in the new order, tags and notes added, and, if wished, ids renumbered. Tasks
 * change places with their bodies; the blank lines between them, and all other text, stay where they are.
 * An order that leaves a segment is obeyed within it, so that no plan can carry a task out of its phase.
 */
export function applyOrder(
  list: TaskList,
  plan: Reordering,
  options: { readonly renumber: boolean },
): string {
  const text = rearrange(list, plan, options);
  if (parseTasks(text).tasks.length === list.tasks.length) return text;
  // In a list that is no Markdown to speak of, what was text may be a task behind a note.
  const tasks = plan.tasks.map((task) => ({ ...task, notesToAdd: [] }));
  return rearrange(list, { ...plan, tasks }, options);
}

function rearrange(
  list: TaskList,
  plan: Reordering,
  { renumber }: { readonly renumber: boolean },
): string {
  const lines = [...list.lines];
  const leaves = readLeaves(list.lines);
  for (const { index, tagsToAdd } of plan.tasks) {
    const task = list.tasks[index] as Task;
    if (tagsToAdd.length > 0)
      lines[task.line - 1] = addTags(lines[task.line - 1] as string, task, tagsToAdd);
  }

  const order = sortUnits(list, plan.order);
  const rename = renumber ? renameIds(list, planIds(list, order.tasks)) : (line: string) => line;
  const owners = new Map(list.tasks.map((task) => [task.line, task]));
  for (const [i, line] of lines.entries()) lines[i] = rename(line, leaves[i], owners.get(i + 1));

  for (const { index, notesToAdd } of plan.tasks) {
    if (notesToAdd.length === 0) continue;
    const notes = notesToAdd.map((note) => rename(note, "quote"));
    const { line, text } = placeNotes(list, list.tasks[index] as Task, leaves, notes);
    lines[line - 1] += text;
  }

  for (const [was, is] of order.moves) moveUnits(lines, was, is);
  return lines.join("");
}

interface Order {
  readonly tasks: readonly number[];
  /** For each segment that changes: its units as they stand, and as they shall. */
  readonly moves: readonly (readonly [was: readonly Unit[], is: readonly Unit[]])[];
}

function sortUnits(list: TaskList, order: readonly number[]): Order {
  const places: number[] = [];
  for (const [place, index] of order.entries()) places[index] = place;
  const placeOf = ({ first }: Unit): number => places[first] ?? Infinity;
  const tasks = list.tasks.map(({ index }) => index);
  const moves: [Unit[], Unit[]][] = [];
  for (const { blocks, first } of readSegments(list)) {
    const was = blocks.flatMap(({ units }) => units);
    const is = was.toSorted((a, b) => placeOf(a) - placeOf(b) || a.first - b.first);
    if (was.every((unit, i) => unit === is[i])) continue;
    moves.push([was, is]);
    let at = first;
    for (const unit of is) for (let task = unit.first; task < unit.end; task++) tasks[at++] = task;
  }
  return { tasks, moves };
}

/** Puts the text of each unit in the place of another. What ends its last line belongs to the place. */
function moveUnits(lines: string[], was: readonly Unit[], is: readonly Unit[]): void {
  const texts = is.map((unit) => lines.slice(unit.line - 1, unit.endLine).join(""));
  const bodies = texts.map((text) =>
    text.slice(text.startsWith(BOM) ? 1 : 0, text.length - eolOf(text).length),
  );
  const bullets = was.map((unit) => numberBullet(lines[unit.line - 1] as string));
  const ends = was.map((unit) => eolOf(lines[unit.endLine - 1] as string));
  for (const [i, { line, endLine }] of was.entries()) {
    const mark = (lines[line - 1] as string).startsWith(BOM) ? BOM : "";
    const body = bodies[i] as string;
    const own = numberBullet(body);
    // `1.` and `2.` in front of the boxes go on counting.
    const numbered = own === "" ? body : body.replace(own, bullets[i] || own);
    lines[line - 1] = mark + numbered + ends[i];
    for (let at = line; at < endLine; at++) lines[at] = "";
  }
}

const numberBullet = (line: string): string => /^\uFEFF?[ \t]*(\d{1,9}[.)])/.exec(line)?.[1] ?? "";
