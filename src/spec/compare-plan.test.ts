import { expect, it } from "vitest";
import { parseTasks } from "../tasks/parse.ts";
import { readIntent } from "./classify-intent.ts";
import { comparePlan } from "./compare-plan.ts";

const HOW = { changeIntent: "`ralph-specum set intent`", small: false };

const tasks = (count: number, title = "Do it"): string =>
  Array.from({ length: count }, (_, i) => `- [ ] 1.${i + 1} ${title}`).join("\n");

it.each([
  ["a trivial goal with a few tasks", "fix a typo in the README", tasks(3), []],
  ["a trivial goal with many", "fix a typo in the README", tasks(40), ["plan-too-large"]],
  ["a bug that nobody reproduces", "Fix the crash", tasks(3), ["bug-not-reproduced"]],
  ["a task that says so", "Fix the crash", tasks(3, "Reproduce the crash"), []],
  ["a failing test first", "Fix the crash", tasks(2, "[RED] It crashes"), []],
  ["a phase that says so", "Fix the crash", `## Phase 1: Reproduce\n\n${tasks(2)}`, []],
  ["a bug with too many tasks", "Fix the crash", tasks(26, "[RED] x"), ["plan-too-large"]],
  ["a large goal with many", "Add rate limiting to the API", tasks(60), []],
  ["nothing to compare", "Fix the crash", "", []],
])("%s", (_, goal, text, codes) => {
  const found = comparePlan(readIntent(goal, {}), parseTasks(text), HOW);
  expect(found.map(({ code }) => code)).toEqual(codes);
});

it("says whose word it is", () => {
  const list = parseTasks(tasks(11));
  const message = (said: Parameters<typeof readIntent>[1]): string | undefined =>
    comparePlan(readIntent("fix a typo", said), list, HOW)[0]?.message;
  expect(message({})).toBe(
    "The goal looks like a trivial change (high confidence), but the plan has 11 tasks.",
  );
  expect(message({ intent: "trivial", intentBy: "user" })).toBe(
    "The goal is trivial, as the user said, but the plan has 11 tasks.",
  );
  expect(message({ intent: "mid-sized", intentBy: "agent" })).toBeUndefined();
});

it("the short way is for short plans", () => {
  const goal = readIntent("Add a --json flag", {});
  const found = (count: number): (string | undefined)[] =>
    comparePlan(goal, parseTasks(tasks(count)), { ...HOW, small: true }).map(
      ({ message }) => message,
    );
  expect(found(12)).toEqual([]);
  expect(found(13)[0]).toContain("takes the short way, but the plan has 13 tasks.");
});
