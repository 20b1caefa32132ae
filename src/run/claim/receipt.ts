import { fieldOf } from "../../tasks/fields.ts";
import { groupOf } from "../../tasks/groups.ts";
import type { Task, TaskList } from "../../tasks/model.ts";
import { type Spent, spentOn } from "../cost.ts";
import type { Entry, EventName } from "../journal.ts";
import type { Evidence, Tree } from "./evidence.ts";
import { findTrial } from "./task-history.ts";

export type Outcome = Evidence["outcome"];

/** What is known about one task: what it took, and what proves it. */
export interface ReceiptLine {
  readonly id: string;
  readonly title: string;
  readonly done: boolean;
  readonly attempts: number;
  readonly refused: number;
  readonly finishedAt: string | null;
  readonly commit: string | null;
  /** What was uncommitted then; null if an older version did not look. */
  readonly tree: Tree | null;
  readonly evidence: readonly Evidence[];
  /** How each command ended before the work began; empty if it was not tried. */
  readonly before: readonly Outcome[];
  readonly tried: readonly Evidence[];
  /** Why there is no evidence, or what else was noted. */
  readonly note: string | null;
  readonly milliseconds: number | null;
  /** What the agents that worked on it used; null if the client did not say. */
  readonly spent: Spent | null;
}

/**
 * One line per task, from the boxes and the journal. A box that was ticked by hand has no evidence, and the line shows
 * it.
 */
export function planReceipt(list: TaskList, entries: readonly Entry[]): ReceiptLine[] {
  const about = new Map<string, Entry[]>();
  for (const entry of entries) {
    if (entry.task === undefined) continue;
    const others = about.get(entry.task);
    if (others === undefined) about.set(entry.task, [entry]);
    else others.push(entry);
  }
  const starts = handedOutAt(list, entries);
  return list.tasks.map((task) =>
    lineOf(list, task, about.get(task.id) ?? [], starts.get(task.id)),
  );
}

/** What makes a box count: an accepted report, the user's word, or a tick where there was nothing to run. */
export const SETTLED: ReadonlySet<EventName> = new Set(["done", "accepted", "ticked"]);
/** Events after which an earlier report no longer counts. */
const VERDICTS: ReadonlySet<EventName> = new Set([...SETTLED, "refused", "failed", "undone"]);

/** What is behind a ticked box: the last entry on the task, if that settled it. */
function proofOf(entries: readonly Entry[]): Entry | undefined {
  const last = entries.findLast(({ event }) => VERDICTS.has(event));
  return last !== undefined && SETTLED.has(last.event) ? last : undefined;
}

/** Whether the journal has a last entry on a task at all. */
export const hasVerdict = (entries: readonly Entry[], id: string): boolean =>
  entries.some((entry) => entry.task === id && VERDICTS.has(entry.event));

/** What settled a task: it was checked and found done, or the user said so, and nothing has contradicted that since. */
export const settledBy = (
  entries: readonly Entry[],
  { id }: Pick<Task, "id">,
): EventName | undefined => proofOf(entries.filter((entry) => entry.task === id))?.event;

export const isSettled = (entries: readonly Entry[], task: Pick<Task, "id">): boolean =>
  settledBy(entries, task) !== undefined;

/** Whether a box is the user's word: it was ticked when the run began, and nothing was said about its task since. */
export function isGiven(
  given: readonly string[] = [],
  entries: readonly Entry[],
  { id }: Pick<Task, "id">,
): boolean {
  const began = entries.findLastIndex((_, i) => entries[i - 1]?.loop.open !== true);
  return given.includes(id) && !hasVerdict(entries.slice(began), id);
}

function lineOf(
  list: TaskList,
  task: Task,
  entries: readonly Entry[],
  began: string | undefined,
): ReceiptLine {
  const done = task.checked ? proofOf(entries) : undefined;
  const last = task.checked ? (lastCheckOf(entries, done) ?? done) : undefined;
  const tried = findTrial(entries);
  const failed = entries.filter(({ event }) => event === "failed").length;
  return {
    id: task.id,
    title: task.title,
    done: task.checked,
    attempts: failed + (task.checked ? 1 : 0),
    refused: entries.filter(({ event }) => event === "refused").length,
    finishedAt: done?.at ?? null,
    commit: last?.evidence?.[0]?.commit || null,
    tree: last?.evidence?.[0]?.tree ?? null,
    before: (tried?.evidence ?? []).map(({ outcome }) => outcome),
    tried: tried?.evidence ?? [],
    evidence: last?.evidence ?? [],
    note: noteOn(list, task, last),
    milliseconds: done === undefined || began === undefined ? null : between(began, done.at),
    spent: spentOn(entries),
  };
}

/** How the last check of a run found a task that was ticked before it, if that is news. */
function lastCheckOf(entries: readonly Entry[], done: Entry | undefined): Entry | undefined {
  const last = entries.findLast(({ event }) => event === "checked" || VERDICTS.has(event));
  const evidence = last?.evidence ?? [];
  const holds = evidence.length > 0 && evidence.every(({ outcome }) => outcome === "passed");
  return last?.event === "checked" && !(holds && done !== undefined) ? last : undefined;
}

/** How the note on such a task begins. */
export const GIVEN = "ticked before the run";

/** The note on a box that was ticked outside a run: somebody's word. */
export const BY_HAND = "ticked by hand";

/** The note on a task that the user declared done during a run. */
export const ACCEPTED = "accepted by the user";

/** What is said of a decision that no client has reported. */
export const FROM_TERMINAL = "from a terminal that is not the client's";

function noteOn(list: TaskList, task: Task, done: Entry | undefined): string | null {
  if (!task.checked) return null;
  if (done === undefined) return BY_HAND;
  if (done.note !== undefined) return done.note;
  // Older versions wrote nothing about a Verify that was switched off.
  const hasVerify = done.evidence === undefined && fieldOf(list, task, "verify");
  return hasVerify ? "its Verify was not run" : "no Verify";
}

/** When each task was first handed out: at the start of a run or by a continuation; a group all at once. */
function handedOutAt(list: TaskList, entries: readonly Entry[]): Map<string, string> {
  const starts = new Map<string, string>();
  const byId = new Map(list.tasks.map((task) => [task.id, task]));
  for (const { at, loop } of entries) {
    if (loop.task === null || starts.has(loop.task)) continue;
    starts.set(loop.task, at);
    const first = byId.get(loop.task);
    for (const { id } of first === undefined ? [] : groupOf(list, first)) {
      if (!starts.has(id)) starts.set(id, at);
    }
  }
  return starts;
}

function between(start: string, end: string): number | null {
  const time = timeOf(end) - timeOf(start);
  return Number.isNaN(time) ? null : Math.max(0, time);
}

// eslint-disable-next-line no-restricted-globals -- reading a time that is given is as pure as any arithmetic
const timeOf = (iso: string): number => Date.parse(iso);
