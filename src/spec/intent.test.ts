import { describe, expect, it } from "vitest";
import { classifyIntent, INTENTS, intentOf } from "./intent.ts";

describe("classifyIntent", () => {
  it.each([
    ["Add rate limiting to the API", "mid-sized", "low"],
    ["Fix the crash when the file is empty", "bug-fix", "medium"],
    ["Login is broken: it fails with an error", "bug-fix", "high"],
    ["Refactor and simplify the parser", "refactor", "medium"],
    ["typo in the README", "trivial", "low"],
    ["Build a new CLI from scratch", "greenfield", "high"],
    // Equal: the graver one counts.
    ["fix a typo", "bug-fix", "low"],
    // A word inside another word is none.
    ["prefixes and newsletters", "mid-sized", "low"],
    ["", "mid-sized", "low"],
  ])("%j is %s, %s", (goal, id, confidence) => {
    const { intent, ...rest } = classifyIntent(goal);
    expect([intent.id, rest.confidence]).toEqual([id, confidence]);
  });
});

it("every intent has a budget of questions and a plan", () => {
  for (const { id, questions, plan } of INTENTS) {
    expect(questions.min, id).toBeLessThanOrEqual(questions.max);
    expect(plan.length, id).toBeGreaterThan(3);
    expect(plan.at(-1), id).toBe("Pull Request");
  }
});

it("an unknown intent is mid-sized", () => {
  expect(intentOf("huge").id).toBe("mid-sized");
});
