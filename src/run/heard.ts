import type { Glance } from "./decision.ts";
import type { Entry } from "./journal.ts";
import { isReport } from "./signal.ts";
import { isWaiting } from "./state.ts";

const WAITS: ReadonlySet<Entry["event"]> = new Set(["paused", "awaiting"]);

/**
 * Whether the last message of a main agent that works itself is weighed. While the run waits, that is only the report on
 * what the agent was at when the wait began; after the run has stopped, nothing is.
 */
export function isHeard({ state, last }: Glance, message: string): boolean {
  if (state.kind !== "ok" || last === undefined) return false;
  const { loop } = last;
  if (loop.told !== null) return false;
  if (isWaiting(state.state) && !WAITS.has(last.event)) return false;
  return isReport(message) || loop.review === "out";
}
