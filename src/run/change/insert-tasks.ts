import { insertTask, type NewTask } from "../../tasks/edit/insert.ts";
import { treeAt } from "../../tasks/edit/movable-blocks.ts";
import type { Task, TaskList } from "../../tasks/model.ts";
import { parseAgain } from "../../tasks/parse.ts";
import { cacheOf } from "../decide.ts";
import { planHandOut, type SpecRef } from "../hand-out.ts";
import type { Entry, Loop } from "../journal.ts";
import { increment } from "../loop.ts";
import type { Raw, State } from "../state.ts";

/** A run, as a change to its tasks finds it. */
export interface RunStanding {
  readonly spec: SpecRef;
  readonly list: TaskList;
  readonly state: State;
  readonly loop: Loop;
  /** The journal, to check what the state says about changes. */
  readonly entries?: readonly Entry[];
}

/** `tasks.md` with more tasks in it, and the matching record of the loop. */
export interface InsertedTasks {
  readonly list: TaskList;
  readonly added: readonly Task[];
  readonly loop: Loop;
}

export type InsertPosition = "before" | "after";

/** Inserts tasks next to another, in order. Undefined if the result would not read as the old list plus these. */
export function insertTasks(
  { list, loop }: Pick<RunStanding, "list" | "loop">,
  anchor: Task,
  where: InsertPosition,
  tasks: readonly NewTask[],
): InsertedTasks | undefined {
  let grown = list;
  let { attempts } = loop;
  let beside = anchor.index;
  let side = where;
  const added: number[] = [];
  for (const task of tasks) {
    const next = insertOne(grown, grown.tasks[beside] as Task, side, task);
    if (next === undefined) return undefined;
    ({ list: grown, at: beside } = next);
    attempts = moveAttempts(attempts, beside);
    added.push(beside);
    side = "after";
  }
  return {
    list: grown,
    added: added.map((index) => grown.tasks[index] as Task),
    loop: { ...loop, attempts, moves: increment(loop.moves) },
  };
}

/**
 * Titles and reasons are an agent's words, and the file may end in an open fence. So the result is parsed again: a list
 * that lost a task on the way would end the run early.
 */
function insertOne(
  list: TaskList,
  anchor: Task,
  where: InsertPosition,
  task: NewTask,
): { list: TaskList; at: number } | undefined {
  const place = where === "after" ? { after: anchor } : { before: anchor };
  const grown = parseAgain(list, insertTask(list, { ...task, ...place }));
  if (grown.tasks.length !== list.tasks.length + 1) return undefined;
  const isAt = (at: number): boolean => {
    const made = grown.tasks[at];
    const isMade = made !== undefined && !made.checked && (task.id ?? made.id) === made.id;
    return isMade && list.tasks.every((old, i) => isSame(old, grown.tasks[i < at ? i : i + 1]));
  };
  const at = [where === "after" ? treeAt(list, anchor).end : anchor.index, anchor.index].find(isAt);
  return at === undefined ? undefined : { list: grown, at };
}

/** A box without an id goes by its position, which changes. */
const isSame = (old: Task, now: Task | undefined): boolean =>
  now !== undefined &&
  (old.id === now.id || (old.id.startsWith("#") && now.id.startsWith("#"))) &&
  old.checked === now.checked &&
  old.title === now.title;

/** Counts go by id; those of boxes without one move with them. */
function moveAttempts(attempts: Loop["attempts"], at: number): Loop["attempts"] {
  const entries = Object.entries(attempts).map(([id, count]) => {
    const place = id.startsWith("#") ? Number(id.slice(1)) : 0;
    return [place > at ? `#${place + 1}` : id, count] as const;
  });
  return Object.fromEntries(entries);
}

/** What the state says about the tasks once they have changed. Only the loop's record knows the attempts. */
export const cacheFor = ({ spec, state }: RunStanding, { list, loop }: InsertedTasks): Raw =>
  cacheOf(planHandOut(spec, list, { ...state, taskIteration: 1 }, loop));

export const textOf = (list: TaskList): string => list.lines.join("");
