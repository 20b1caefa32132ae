import { expect, it } from "vitest";
import { planPause } from "./replay.ts";

const at = (seconds: number): string => new Date(seconds * 1000).toISOString();

it.each([
  [0, 1, 1, 1000],
  [0, 1, 10, 100],
  [0, 1, 0.5, 2000],
  // Long pauses are cut.
  [0, 3600, 1, 2000],
  [0, 3600, 10, 2000],
  [0, 3600, Infinity, 0],
  // A clock that was set back.
  [10, 5, 1, 0],
])("from %d s to %d s at speed %d it waits %d ms", (before, after, speed, pause) => {
  expect(planPause(at(before), at(after), speed)).toBe(pause);
});

it("does not wait if a time is invalid", () => {
  expect(planPause("", "yesterday", 1)).toBe(0);
});
