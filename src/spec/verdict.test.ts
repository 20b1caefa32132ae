import { expect, it } from "vitest";
import { isFailure, judgeAgain } from "./verdict.ts";

it.each([
  ["proven", ["passed", "passed"], "proven-again", false],
  ["proven", ["passed", "failed"], "broken-since", true],
  ["proven", ["timed-out"], "broken-since", true],
  ["checked", ["passed"], "passes", false],
  ["failed", ["passed"], "passes", false],
  ["accepted", ["failed"], "not-proven", true],
  ["checked", ["failed"], "not-proven", true],
  ["proven", ["unrun"], "not-run", true],
] as const)("%s, now %j: %s", (recorded, outcomes, verdict, fails) => {
  const found = judgeAgain(
    recorded,
    outcomes.map((outcome) => ({ outcome })),
  );
  expect(found).toBe(verdict);
  expect(isFailure(found)).toBe(fails);
});

it("is not proven by a command that cannot fail", () => {
  const now = [{ outcome: "passed", doubt: "it ends with `|| true`" }] as const;
  expect(judgeAgain("reported", now)).toBe("proves-nothing");
  expect(judgeAgain("reported", [...now, { outcome: "passed" }])).toBe("passes");
});
