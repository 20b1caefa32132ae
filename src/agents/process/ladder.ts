import { setTimeout as delay } from "node:timers/promises";
import type { Running } from "../../exec/start.ts";

export interface Ladder {
  /** Time between two steps. */
  readonly graceMs: number;
  /** The agent's own way to be told to stop. */
  readonly cancel?: (() => void) | undefined;
  /** How long it may take to end by itself before the first step. */
  readonly firstMs?: number;
}

/**
 * Ends an agent: cancel, end of input, SIGTERM, SIGKILL to the group. Each step is taken only if the previous one has
 * not ended it in time. Returns once it has ended, or after the last step. Processes that left the group are for the
 * sweep.
 */
export async function endAgent(
  running: Pick<Running, "ended" | "isOpen" | "endInput" | "signal">,
  { graceMs, cancel, firstMs = 0 }: Ladder,
): Promise<void> {
  const gone = running.ended.then(() => true);
  if (await within(gone, firstMs)) return;
  const steps = [
    ...(cancel === undefined ? [] : [cancel]),
    ...(running.isOpen() ? [running.endInput] : []),
    () => running.signal("SIGTERM"),
    () => running.signal("SIGKILL"),
  ];
  for (const step of steps) {
    try {
      step();
    } catch {
      // The agent may have just ended; the next step does not depend on this one.
    }
    if (await within(gone, graceMs)) return;
  }
}

async function within(gone: Promise<boolean>, ms: number): Promise<boolean> {
  const timer = new AbortController();
  const late = delay(ms, false, { signal: timer.signal }).catch(() => false);
  const isGone = await Promise.race([gone, late]);
  timer.abort();
  return isGone;
}
