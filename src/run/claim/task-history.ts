import type { Task } from "../../tasks/model.ts";
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
  /** Its Verify passed before any work. */
  readonly passedBefore: boolean;
  /** Why its Verify cannot run at all. */
  readonly cannotRun: string | null;
}

const ENDED: ReadonlySet<EventName> = new Set(["done", "accepted", "ticked", "undone"]);
const WENT_WRONG: ReadonlySet<EventName> = new Set(["refused", "failed", "heard"]);

/** `lastError`: what is known if the entries do not go back far enough. */
export function planHistory(
  { id }: Pick<Task, "id">,
  entries: readonly Entry[],
  lastError: string | null,
): TaskHistory {
  const about = entries.filter(({ task }) => task === id);
  const own = about.slice(about.findLastIndex(({ event }) => ENDED.has(event)) + 1);
  const wrong = own.findLast(({ event }) => WENT_WRONG.has(event));
  const ran = own.findLast(
    ({ event, evidence }) => WENT_WRONG.has(event) && evidence !== undefined,
  );
  const tried = own.findLast(({ event }) => event === "before")?.evidence ?? [];
  return {
    reason: wrong?.note ?? lastError,
    output: usefulLines(failedIn(ran?.evidence ?? [])?.tail ?? ""),
    uncommitted: own.findLast(({ uncommitted }) => uncommitted !== undefined)?.uncommitted ?? [],
    passedBefore: tried.length > 0 && tried.every(({ outcome }) => outcome === "passed"),
    cannotRun: whyNotRunnable(failedIn(tried)) ?? null,
  };
}

const failedIn = (evidence: readonly Evidence[]): Evidence | undefined =>
  evidence.find(({ outcome }) => outcome !== "passed");
