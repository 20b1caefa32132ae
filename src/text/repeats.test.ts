import { expect, it } from "vitest";
import { mergeRepeats, tellTimes } from "./repeats.ts";

it("merges neighbours only, and keeps the last of them", () => {
  const all = ["a1", "a2", "b3", "a4"];
  const merged = mergeRepeats(all, (one) => one.slice(0, 1));
  expect(merged.map(({ one, times }) => one + tellTimes(times))).toEqual([
    "a2 (2 times)",
    "b3",
    "a4",
  ]);
});
