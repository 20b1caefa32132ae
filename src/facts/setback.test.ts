import { expect, it } from "vitest";
import type { Attempt } from "./attempts.ts";
import { tellSetback } from "./setback.ts";

const FAILED = "1.3 is not done: its Verify `npm test` failed with exit code 1. Fix the cause.";

it.each<[string, Attempt["end"][], number, string | null]>([
  ["nothing", ["done"], 1, null],
  ["a question", ["asked", "done"], 1, "1.3 waited for your answer"],
  ["two questions", ["asked", "asked", "done"], 1, "1.3 waited for your answer, twice"],
  [
    "a question and a refusal",
    ["asked", "refused", "done"],
    2,
    "1.3 needed 2 attempts: it waited for your answer; its Verify failed",
  ],
  ["a Verify that was wrong", ["replaced", "done"], 1, "1.3 was held up: its Verify was replaced"],
  [
    "one whose successor failed",
    ["replaced", "by-program", "done"],
    1,
    "1.3 was held up: its Verify was replaced; its Verify failed",
  ],
])("says what held up a task: %s", (_, ends, attempts, expected) => {
  const tries = ends.map((end) => ({ end, reason: end === "asked" ? null : FAILED }));
  expect(tellSetback({ id: "1.3", done: true, attempts, tries })).toBe(expected);
});
