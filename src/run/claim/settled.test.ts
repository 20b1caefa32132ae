import { expect, it } from "vitest";
import { entryOf, LOOP } from "../../../test/support/journal.ts";
import { isGiven, isSettled } from "./settled.ts";

const task = { id: "1.1" };

it.each([
  ["done", true],
  ["accepted", true],
  ["ticked", true],
  ["refused", false],
  ["failed", false],
  ["undone", false],
] as const)("a task is settled when it was %s: %s", (event, expected) => {
  expect(isSettled([entryOf("done", "1.1"), entryOf(event, "1.1")], task)).toBe(expected);
  expect(isSettled([entryOf(event, "1.2")], task)).toBe(false);
});

it("a task ticked before the run is the user's word until something is said about it in that run", () => {
  const closed = entryOf("finished", undefined, { loop: { ...LOOP, open: false } });
  const start = entryOf("start", "1.2");
  expect(isGiven(["1.1"], [entryOf("failed", "1.1"), closed, start], task)).toBe(true);
  expect(isGiven(["1.1"], [start, entryOf("failed", "1.1")], task)).toBe(false);
  expect(isGiven(["1.2"], [], task)).toBe(false);
  expect(isGiven(undefined, [], task)).toBe(false);
});
