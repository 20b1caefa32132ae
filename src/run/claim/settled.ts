import type { Task } from "../../tasks/model.ts";
import type { Entry, EventName } from "../journal.ts";

/** What makes a box count: an accepted report, the user's word, or a tick where there was nothing to run. */
export const SETTLED: ReadonlySet<EventName> = new Set(["done", "accepted", "ticked"]);
/** Events after which an earlier report no longer counts. */
const VERDICTS: ReadonlySet<EventName> = new Set([...SETTLED, "refused", "failed", "undone"]);

/** What is behind a ticked box: the last entry on the task, if that settled it. */
export function proofOf(entries: readonly Entry[]): Entry | undefined {
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

/** How the last check of a run found a task that was ticked before it, if that is news. */
export function lastCheckOf(entries: readonly Entry[], done: Entry | undefined): Entry | undefined {
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
