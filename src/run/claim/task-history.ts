import { groupOf } from "../../tasks/groups.ts";
import type { Decision, Task, TaskList } from "../../tasks/model.ts";
import { designOf } from "../../tasks/tags.ts";
import { HAND_OUTS } from "../journal-lines.ts";
import type { Entry, EventName } from "../journal.ts";
import { whyNotRunnable } from "./before.ts";
import type { Evidence } from "./evidence.ts";
import { usefulLines } from "./useful-lines.ts";

/** What the next agent should know about a task that has been out before, or whose Verify was tried. */
export interface TaskHistory {
  /** Why it was refused or failed last. */
  readonly reason: string | null;
  /** What its Verify printed then. */
  readonly output: readonly string[];
  /** What that attempt left uncommitted. */
  readonly uncommitted: readonly string[];
  /** Its Verify was run after the work, and did not pass. */
  readonly hasFailed: boolean;
  /** When it was handed out to somebody who never reported on it, ISO 8601. */
  readonly startedAt: string | null;
  /** Its Verify passed before any work. */
  readonly passedBefore: boolean;
  /** Why its Verify cannot run at all. */
  readonly cannotRun: string | null;
  /** Its Verify was replaced after somebody had worked on it. */
  readonly isReplaced: boolean;
  /** All that was in the way was its Verify, and nobody has run the one that was approved or replaced it. */
  readonly isRetryDue: boolean;
  /** What the user has decided about it, and about other tasks: that may concern it too. */
  readonly decided: readonly Decision[];
}

const ENDED: ReadonlySet<EventName> = new Set(["done", "accepted", "ticked", "undone"]);
const WENT_WRONG: ReadonlySet<EventName> = new Set(["refused", "failed", "heard"]);

/** `lastError`: what is known if the entries do not go back far enough. `files`: what the task is going to write. */
export function planHistory(
  { id, tags }: Pick<Task, "id" | "tags">,
  entries: readonly Entry[],
  lastError: string | null,
  files: readonly string[] = [],
  decided: readonly Decision[] = [],
): TaskHistory {
  const about = entries.filter(({ task }) => task === id);
  const own = sinceEnded(about);
  const wrongAt = own.findLastIndex(({ event }) => WENT_WRONG.has(event));
  const wrong = own[wrongAt];
  const replacedAt = own.findLastIndex(({ event }) => event === "amended");
  const ran = own.findLast(
    ({ event, evidence }) => WENT_WRONG.has(event) && evidence !== undefined,
  );
  const tried = findTrial(own)?.evidence ?? [];
  return {
    reason: wrong?.note ?? lastError,
    output: usefulLines(failedIn(ran?.evidence ?? [])?.tail ?? ""),
    hasFailed: failedIn(ran?.evidence ?? []) !== undefined,
    startedAt: null,
    uncommitted: own.findLast(({ uncommitted }) => uncommitted !== undefined)?.uncommitted ?? [],
    // Before the failing test is written, the check for it may fail or pass; a guard is meant to pass.
    passedBefore:
      designOf({ tags }) === null &&
      tried.length > 0 &&
      tried.every(({ outcome }) => outcome === "passed"),
    cannotRun: whyNotRunnable(failedIn(tried), files) ?? null,
    isReplaced: own.slice(0, replacedAt + 1).some(({ event }) => WENT_WRONG.has(event)),
    isRetryDue:
      findWaiting(own, id) !== undefined || (replacedAt > wrongAt && isVerifyAll(own, wrong)),
    decided,
  };
}

/** Whether only the Verify was in the way: its last agent said that it is wrong, or claimed completion and it failed. */
function isVerifyAll(own: readonly Entry[], wrong: Entry | undefined): boolean {
  if (wrong?.event === "heard") return isDoubt(wrong.note);
  const claim = own.findLast(({ event }) => event === "refused");
  return claim?.evidence !== undefined && claim.note === wrong?.note;
}

/** Of the entries about a task, those since it was last done or undone. */
export const sinceEnded = (about: readonly Entry[]): readonly Entry[] =>
  about.slice(about.findLastIndex(({ event }) => ENDED.has(event)) + 1);

/** The claim whose Verify the user was asked about, if nobody has said anything about the task since. */
export function findWaiting(entries: readonly Entry[], id: string): Entry | undefined {
  const own = sinceEnded(entries.filter(({ task }) => task === id));
  const last = own.findLast(({ event }) => event === "awaiting" || WENT_WRONG.has(event));
  return last?.event === "awaiting" ? last : undefined;
}

/** Whether an agent says that the Verify of its task is wrong. */
export const isDoubt = (said: string | null | undefined): boolean =>
  /\bVERIFY_WRONG\b/.test(said ?? "");

/** Whether the last that was said about a task is that its Verify is wrong. */
export function isDoubted(entries: readonly Entry[], id: string): boolean {
  const last = entries.findLast(({ event, task }) => task === id && WENT_WRONG.has(event));
  return last?.event === "heard" && isDoubt(last.note);
}

/** Whether nobody has worked on a task yet. If git cannot tell, whoever was sent for it may have. */
export function isUnworked(
  about: readonly Entry[],
  hasChanged: () => boolean | undefined,
): boolean {
  const own = sinceEnded(about).map(({ event }) => event);
  if (own.some((event) => event === "awaiting" || WENT_WRONG.has(event))) return false;
  return !(hasChanged() ?? own.includes("delegated"));
}

/** After these, an earlier trial was of something else. */
const TRIALS: ReadonlySet<EventName> = new Set(["before", "amended", "undone"]);

/** How the Verify of a task ended before the work; one that was replaced since says nothing. */
export function findTrial(about: readonly Entry[]): Entry | undefined {
  const last = about.findLast(({ event }) => TRIALS.has(event));
  return last?.event === "before" ? last : undefined;
}

/** When a task went out in an earlier run and nobody reported on it since: its session was killed, or is gone. */
export function findInterruption(
  entries: readonly Entry[],
  list: TaskList,
  index: number,
  run: string,
): string | null {
  // The record names only the first task of a group.
  const ids = new Set(groupOf(list, list.tasks[index] as Task).map(({ id }) => id));
  const earlier = entries.filter(({ loop }) => loop.run !== run);
  const out = earlier.findLastIndex(
    ({ event, loop }) => HAND_OUTS.has(event) && ids.has(loop.task ?? ""),
  );
  const isOver = earlier
    .slice(out + 1)
    .some(({ event, task }) => OVER.has(event) || (ids.has(task ?? "") && !ASIDE.has(event)));
  return out === -1 || isOver ? null : (earlier[out]?.at ?? null);
}

/** Not a word about how the work went. */
export const ASIDE: ReadonlySet<EventName> = new Set(["before", "ready", "delegated", "returned"]);

/** The run ended on its own. */
const OVER: ReadonlySet<EventName> = new Set(["finished", "cancelled", "undone"]);

const failedIn = (evidence: readonly Evidence[]): Evidence | undefined =>
  evidence.find(({ outcome }) => outcome !== "passed");
