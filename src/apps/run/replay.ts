import { setTimeout as delay } from "node:timers/promises";
import { Refusal } from "../../engine/refusal.ts";
import type { RunEvent } from "../../runner/events.ts";
import { readEvents } from "../../runner/read-events.ts";
import { stringOption, wholeNumber } from "../cli/arguments.ts";
import type { Command } from "../cli/command.ts";
import { openLogs, runOf } from "./attempt-log.ts";
import { openLive } from "./live.ts";
import { hasScreen, lineTeller, MAX_FROM, stageOf } from "./watch.ts";

/** Longer pauses are cut to this. */
const MAX_PAUSE_MS = 2000;
const DEFAULT_SPEED = 10;

/** `replay`: plays a recorded run, in the live view or as lines. */
export const replayRun: Command["run"] = async (context, input) => {
  const run = runOf(context, input.args[0]);
  const usual = hasScreen(context) ? DEFAULT_SPEED : Infinity;
  const speed = readSpeed(stringOption(input, "speed"), usual);
  const from = wholeNumber(input, "from", MAX_FROM) ?? 1;
  const all = readEvents(run);
  if (all.length === 0)
    throw new Refusal("missing", `nothing was recorded for run ${run.info.run}`);
  const events = all.filter(({ seq }) => seq >= from);
  if (input.options["json"] === true) return { text: "", json: { run: run.info.run, events } };
  if (!hasScreen(context)) {
    const tell = lineTeller(context);
    for await (const some of play(events, speed)) if (!some.every(tell)) break;
    return { text: "" };
  }
  const leaving = new AbortController();
  const clock = startClock(all, speed);
  const live = openLive({
    ...stageOf(context),
    now: clock.now,
    seat: "replay",
    controls: undefined,
    readLog: openLogs(run),
  });
  void live.left.then(() => leaving.abort());
  const earlier = all.filter(({ seq }) => seq < from);
  clock.reach(earlier);
  live.tell(earlier);
  try {
    for await (const some of play(events, speed, leaving.signal)) {
      clock.reach(some);
      live.tell(some);
    }
    // The last frame stays until the user leaves.
    await live.left;
  } finally {
    live.close();
  }
  return { text: "" };
};

function readSpeed(word: string | undefined, fallback: number): number {
  if (word === undefined) return fallback;
  if (word === "max") return Infinity;
  const value = /^\d{1,6}(?:\.\d{1,3})?$/.test(word) ? Number(word) : 0;
  if (value > 0) return value;
  throw new Refusal("usage", `--speed takes a number above 0 or "max", not "${word}"`);
}

/** How long to wait for the next event. */
export function planPause(before: string, after: string, speed: number): number {
  const gap = Date.parse(after) - Date.parse(before);
  return Number.isFinite(gap) ? Math.max(0, Math.min(gap / speed, MAX_PAUSE_MS)) : 0;
}

async function* play(
  events: readonly RunEvent[],
  speed: number,
  signal?: AbortSignal,
): AsyncGenerator<readonly RunEvent[]> {
  if (speed === Infinity) {
    yield events;
    return;
  }
  let last = events[0]?.at ?? "";
  for (const event of events) {
    const pause = planPause(last, event.at, speed);
    last = event.at;
    if (pause > 0)
      await delay(pause, undefined, signal === undefined ? {} : { signal }).catch(() => {});
    if (signal?.aborted === true) return;
    yield [event];
  }
}

/** The time in the replay: that of the last event plus what has passed since, but never past the next event. */
function startClock(events: readonly RunEvent[], speed: number) {
  let index = 0;
  let since = Date.now();
  return {
    reach(some: readonly RunEvent[]): void {
      index += some.length;
      since = Date.now();
    },
    now(): number {
      const last = Date.parse(events[Math.max(0, index - 1)]?.at ?? "");
      const next = Date.parse(events[index]?.at ?? "") || last;
      const passed = speed === Infinity ? 0 : (Date.now() - since) * speed;
      return Math.min(last + passed, Math.max(last, next));
    },
  };
}
