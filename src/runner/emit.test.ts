import { expect, it } from "vitest";
import { type EventSink, openEmit } from "./emit.ts";
import type { RunEvent } from "./events.ts";

const AT = "2026-11-16T01:00:00.000Z";

/** What each sink got, in words. */
function emitTo(...broken: readonly boolean[]) {
  const got = broken.map((): string[] => []);
  const sinks = broken.map((isBroken, i): EventSink => (event: RunEvent) => {
    got[i]?.push(`${event.seq} ${event.kind === "note" ? event.text : event.kind}`);
    if (isBroken) throw new Error(`sink ${i} is gone`);
  });
  return { got, emit: openEmit("r1", sinks, () => AT) };
}

it("gives every event its run, number and time", () => {
  const events: RunEvent[] = [];
  const emit = openEmit("r1", [(event) => events.push(event)], () => AT);
  emit({ kind: "paused" });
  emit({ kind: "swept", count: 2 });
  expect(events).toEqual([
    { run: "r1", seq: 1, at: AT, kind: "paused" },
    { run: "r1", seq: 2, at: AT, kind: "swept", count: 2 },
  ]);
});

it("goes on if a sink throws: the others get everything, and hear of it once", () => {
  const { got, emit } = emitTo(false, true, false, true);
  emit({ kind: "paused" });
  emit({ kind: "resumed" });
  const all = [
    "1 paused",
    "2 an event was not passed on: Error: sink 1 is gone",
    "3 an event was not passed on: Error: sink 3 is gone",
    "4 resumed",
  ];
  expect(got).toEqual([all, all, all, all]);
});
