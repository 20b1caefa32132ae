import { BOM, eolOf, readLeaves } from "../../text/lines.ts";
import type { Task, TaskList } from "../model.ts";
import { parseTasks } from "../parse.ts";
import { readSegments, type TaskTree } from "./movable-blocks.ts";
import { addTags, placeNotes } from "./notes.ts";
import { findLooseMentions, type LooseMention, renameIds } from "./rename.ts";
import { planIds } from "./renumber.ts";

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

export interface Reordered {
  readonly text: string;
  /** Lines that mention a renumbered task where only a person can tell what is meant. */
  readonly mentions: readonly LooseMention[];
}

/**
 * The file with its tasks in the new order, tags and notes added, and ids renumbered if asked. Tasks change places with
 * their bodies; the blank lines between them, and all other text, stay where they are. An order that leaves a segment
 * is obeyed within it, so that no plan can carry a task out of its phase.
 */
export function applyOrder(
  list: TaskList,
  plan: Reordering,
  { renumber }: { readonly renumber: boolean },
): Reordered {
  const order = sortTrees(list, plan.order);
  const ids = renumber ? planIds(list, order.tasks) : list.tasks.map(({ id }) => id);
  let text = rearrange(list, plan, order, ids);
  let changed = parseTasks(text);
  if (changed.tasks.length !== list.tasks.length) {
    // In a list that is barely Markdown, text after a note can turn into a task.
    const tasks = plan.tasks.map((task) => ({ ...task, notesToAdd: [] }));
    text = rearrange(list, { ...plan, tasks }, order, ids);
    changed = parseTasks(text);
  }
  const renamed = list.tasks.filter(({ id, index }) => ids[index] !== id);
  const old = new Set(renamed.map(({ id }) => id.toLowerCase()));
  return { text, mentions: old.size === 0 ? [] : findLooseMentions(changed, old) };
}

function rearrange(list: TaskList, plan: Reordering, order: Order, ids: readonly string[]): string {
  const tagged = [...list.lines];
  const leaves = readLeaves(list.lines);
  for (const { index, tagsToAdd } of plan.tasks) {
    const task = list.tasks[index] as Task;
    if (tagsToAdd.length > 0)
      tagged[task.line - 1] = addTags(tagged[task.line - 1] as string, task, tagsToAdd);
  }

  const { lines, renameNote } = renameIds({ ...list, lines: tagged }, ids);
  for (const { index, notesToAdd } of plan.tasks) {
    if (notesToAdd.length === 0) continue;
    const notes = notesToAdd.map(renameNote);
    const { line, text } = placeNotes(list, list.tasks[index] as Task, leaves, notes);
    lines[line - 1] += text;
  }

  for (const [was, is] of order.moves) moveTrees(lines, was, is);
  return lines.join("");
}

interface Order {
  readonly tasks: readonly number[];
  /** For each segment that changes: its trees before and after. */
  readonly moves: readonly (readonly [was: readonly TaskTree[], is: readonly TaskTree[]])[];
}

function sortTrees(list: TaskList, order: readonly number[]): Order {
  const places: number[] = [];
  for (const [place, index] of order.entries()) places[index] = place;
  const placeOf = ({ first }: TaskTree): number => places[first] ?? Infinity;
  const tasks = list.tasks.map(({ index }) => index);
  const moves: [TaskTree[], TaskTree[]][] = [];
  for (const { blocks, first } of readSegments(list)) {
    const was = blocks.flatMap(({ trees }) => trees);
    const is = was.toSorted((a, b) => placeOf(a) - placeOf(b) || a.first - b.first);
    if (was.every((tree, i) => tree === is[i])) continue;
    moves.push([was, is]);
    let at = first;
    for (const tree of is) for (let task = tree.first; task < tree.end; task++) tasks[at++] = task;
  }
  return { tasks, moves };
}

/** Puts the text of each tree in the place of another. What ends its last line belongs to the place. */
function moveTrees(lines: string[], was: readonly TaskTree[], is: readonly TaskTree[]): void {
  const texts = is.map((tree) => lines.slice(tree.line - 1, tree.endLine).join(""));
  const bodies = texts.map((text) =>
    text.slice(text.startsWith(BOM) ? 1 : 0, text.length - eolOf(text).length),
  );
  const bullets = was.map((tree) => numberBullet(lines[tree.line - 1] as string));
  const ends = was.map((tree) => eolOf(lines[tree.endLine - 1] as string));
  for (const [i, { line, endLine }] of was.entries()) {
    const mark = (lines[line - 1] as string).startsWith(BOM) ? BOM : "";
    const body = bodies[i] as string;
    const own = numberBullet(body);
    // `1.` and `2.` before the boxes keep counting.
    const numbered = own === "" ? body : body.replace(own, bullets[i] || own);
    lines[line - 1] = mark + numbered + ends[i];
    for (let at = line; at < endLine; at++) lines[at] = "";
  }
}

const numberBullet = (line: string): string => /^\uFEFF?[ \t]*(\d{1,9}[.)])/.exec(line)?.[1] ?? "";
