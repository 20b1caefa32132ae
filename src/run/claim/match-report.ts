import { groupOf } from "../../tasks/groups.ts";
import type { TaskList } from "../../tasks/model.ts";
import type { HandOut } from "../hand-out.ts";
import type { Entry, EventName, Loop } from "../journal.ts";
import { isSettled } from "./settled.ts";
import { ASIDE } from "./task-history.ts";

/**
 * The tasks that agents may be working on. An agent that ticks its own box, though it was not asked to, makes it look
 * as if the next task had been handed out; until its report has been judged, it has not.
 */
export function listTasksOut(
  brief: HandOut,
  list: TaskList,
  loop: Loop,
  entries: readonly Entry[],
): string[] {
  const first = list.tasks.find(({ id }) => id === loop.task);
  const group = first === undefined ? [] : groupOf(list, first);
  const ticked = group.filter((task) => task.checked && !isSettled(entries, task));
  const due = brief.current.map(({ id }) => id);
  if (ticked.length === 0) return due;
  return [...ticked, ...group.filter(({ id }) => due.includes(id))].map(({ id }) => id);
}

/** Tasks about which an agent has asked the user something, and that it has not reported on since. */
export function listAsking(list: TaskList, entries: readonly Entry[]): string[] {
  const ids = list.tasks.filter(({ id, checked }) => !checked && list.held?.has(id) === true);
  return ids.map(({ id }) => id).filter((id) => lastOf(entries, id) === "asked");
}

const lastOf = (entries: readonly Entry[], id: string): EventName | undefined =>
  entries.findLast(({ task, event }) => task === id && !ASIDE.has(event))?.event;

/**
 * Which of the tasks handed out an executor reports on. Its instructions name the task, or else the report does; a
 * single task needs no name. If two tasks are possible, there is no answer, nor if the agent was not sent for the task:
 * the agent of an earlier task may speak again when asked something. A claim goes to the right task or to none.
 */
export function matchReport(
  ids: readonly string[],
  list: TaskList,
  report: string,
  orders: string | undefined,
): string | undefined {
  const said = orders ?? report;
  // Orders that we wrote say it in their title; below it, the text of one task may mention others.
  const titled = list.tasks.find(({ id }) => said.startsWith(titleOf(id)));
  if (titled !== undefined) return ids.find((id) => id === titled.id);
  const named = ids.filter((id) => mentions(said, id));
  if (named.length === 1) return named[0];
  if (named.length === 0 && list.tasks.some(({ id }) => mentions(said, id))) return undefined;
  return ids.length < 2 ? ids[0] : pickOnly(ids, report);
}

/** A main agent has one task, and need not name it; but a report that is about another one is not about this one. */
export function matchMain(
  id: string | undefined,
  list: TaskList,
  report: string,
): string | undefined {
  const said = list.tasks.filter((task) => names(report, task.id));
  return said.length === 0 || said.some((task) => task.id === id) ? id : undefined;
}

/** `Task 1.2`: a number alone may be anything. */
const names = (text: string, id: string): boolean =>
  text
    .split(/\btask\s+(?=\S)/i)
    .slice(1)
    .some(
      (after) => after.startsWith(id) && !/^(?:\w|\.\d|\.[A-Za-z]\b)/.test(after.slice(id.length)),
    );

const titleOf = (id: string): string => `# Task ${id} of `;

function pickOnly(ids: readonly string[], text: string): string | undefined {
  const named = ids.filter((id) => mentions(text, id));
  return named.length === 1 ? named[0] : undefined;
}

/** As a whole word: 1.1 is not in 1.10, 1.1a or 1.1.a, nor in 2.1.1. */
function mentions(text: string, id: string): boolean {
  for (let at = text.indexOf(id); at !== -1; at = text.indexOf(id, at + 1)) {
    const before = text.charAt(at - 1);
    const after = text.slice(at + id.length, at + id.length + 3);
    if (!/[\w.#]/.test(before) && !/^(?:\w|\.\d|\.[A-Za-z]\b)/.test(after)) return true;
  }
  return false;
}
