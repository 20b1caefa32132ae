import { setTimeout as delay } from "node:timers/promises";
import type { Running } from "./start.ts";

export interface Ladder {
  /** Between two steps. */
  readonly graceMs: number;
  /** The agent's own polite way to be told. */
  readonly cancel?: (() => void) | undefined;
  /** How long it may take to end by itself before anything is done. */
  readonly firstMs?: number;
}

/**
 * Ends an agent: cancel, end of input, SIGTERM, SIGKILL of the group. Each step comes only if the one before has not
 * ended it within the grace. Returns after the last at the latest. What has left the group is for the sweep.
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
      // A polite word to somebody who has just left; the next step needs no answer.
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
