import { setChecked } from "../../tasks/edit/tick.ts";
import { fieldOf } from "../../tasks/fields.ts";
import type { Task, TaskList } from "../../tasks/model.ts";
import { parseTasks } from "../../tasks/parse.ts";
import { eolOf } from "../../text/lines.ts";
import type { Entry } from "../journal.ts";
import { agreementKey } from "../lost-tasks.ts";
import { isGiven, isSettled } from "./settled.ts";

/** What the journal says, and the part of it that is new since the list was last read. */
export interface ListRecord {
  readonly entries: readonly Entry[];
  readonly since: readonly Entry[];
  /** Boxes that were ticked when the run began. */
  readonly given: readonly string[] | undefined;
}

/** What somebody changed by hand, and the list without it. */
export interface Meddling {
  readonly changed: readonly string[];
  readonly text: string;
}

/**
 * Finds boxes, tags and Verify lines that none of our commands has changed: each of those leaves an entry in the
 * journal. Everything else in the list is left as it is, unless a task cannot be put back in its place. `now`: undefined
 * if the list is gone.
 */
export function findMeddling(
  before: TaskList,
  now: TaskList | undefined,
  record: ListRecord,
): Meddling | undefined {
  // With `implement` the user approves the list as it is.
  if (record.since.some(({ event }) => event === "start")) return undefined;
  const found = now ?? EMPTY;
  const changed = before.tasks.flatMap((task) => compare(before, task, found, record));
  if (changed.length === 0) return undefined;
  const isKnown = before.tasks.some((task) => sameIn(found, before, task) !== undefined);
  const restored = restore(before, isKnown ? found : before, record);
  const isWhole = before.tasks.every(
    (task) => compare(before, task, restored, record).length === 0,
  );
  const { lines } = isWhole ? restored : restore(before, before, record);
  return { changed, text: lines.join("") };
}

const EMPTY = parseTasks("");

/** The same task in another version of the list. An id that is used twice stands for two tasks. */
function sameIn(list: TaskList, { tasks }: TaskList, task: Task): Task | undefined {
  const isSame = (one: Task): boolean => agreementKey(one) === agreementKey(task);
  return list.tasks.filter(isSame)[tasks.filter(isSame).indexOf(task)];
}

function compare(before: TaskList, old: Task, list: TaskList, record: ListRecord): string[] {
  const task = sameIn(list, before, old);
  if (task === undefined) return [old.id];
  return [
    ...(task.checked === wantsTick(old, task, record) ? [] : [`the box of ${old.id}`]),
    ...(hasSameTags(old, task) ? [] : [`the tags of ${old.id}`]),
    ...(hasSameVerify(before, old, list, task, record) ? [] : [`the Verify of ${old.id}`]),
  ];
}

/** A box that counts stays; one that nobody has settled yet may be cleared, but not ticked. */
const wantsTick = (old: Task, now: Task, { entries, since, given }: ListRecord): boolean =>
  isSettled(since, old) ||
  (old.checked && (now.checked || isSettled(entries, old) || isGiven(given, entries, old)));

const hasSameTags = (old: Task, now: Task): boolean => old.tags.join() === now.tags.join();

const hasSameVerify = (
  before: TaskList,
  old: Task,
  list: TaskList,
  now: Task,
  { since }: ListRecord,
): boolean =>
  fieldOf(before, old, "verify") === fieldOf(list, now, "verify") ||
  since.some(({ event, task }) => event === "amended" && task === old.id);

/** Puts each task back: its box, the line with its tags, or its own text with the Verify. */
function restore(before: TaskList, now: TaskList, record: ListRecord): TaskList {
  let list = now;
  let end = Math.min(...[before, now].map(({ tasks: [first] }) => first?.line ?? 1)) - 1;
  for (const old of before.tasks) {
    const own = before.lines.slice(old.line - 1, old.endLine);
    const task = sameIn(list, before, old);
    if (task === undefined) list = splice(list, end, 0, own);
    else if (!hasSameVerify(before, old, list, task, record))
      list = splice(list, task.line - 1, task.endLine - task.line + 1, own);
    else if (!hasSameTags(old, task)) list = splice(list, task.line - 1, 1, own.slice(0, 1));
    const made = sameIn(list, before, old);
    if (made === undefined) continue;
    const ticks = wantsTick(old, task ?? old, record);
    if (made.checked !== ticks) list = parseTasks(setChecked(list, made, ticks));
    end = made.endLine;
  }
  return list;
}

function splice(
  { lines }: TaskList,
  start: number,
  count: number,
  own: readonly string[],
): TaskList {
  const all = lines.toSpliced(start, count, ...own);
  const eol = eolOf(all[0] ?? "") || "\n";
  const isLast = (i: number): boolean => i === all.length - 1;
  return parseTasks(
    all.map((line, i) => (isLast(i) || /[\r\n]$/.test(line) ? line : line + eol)).join(""),
  );
}
