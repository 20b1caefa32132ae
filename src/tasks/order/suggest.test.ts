import { expect, it } from "vitest";
import { parseTasks } from "../parse.ts";
import { planOrder } from "./plan-order.ts";

const lines = (...tasks: string[]): string => tasks.map((task) => `- [ ] ${task}\n`).join("");

function suggestions(text: string, byScore = false): string[] {
  const { suggestions: all } = planOrder(parseTasks(text), { byScore });
  return all.map(({ id, tag, reason }) => `[${tag}] ${id}: ${reason}`);
}

it.each([
  ["nothing", lines("1.1 a", "1.2 b"), []],
  [
    "a file that two name later",
    lines("1.1 a", "1.2 src/a.ts", "1.3 src/a.ts", "1.4 src/a.ts"),
    ["[BLOCKER] 1.2: 1.3 and 1.4 name src/a.ts after it"],
  ],
  ["a file that one names later", lines("1.1 src/a.ts", "1.2 src/a.ts"), []],
  [
    "words, files, and both",
    lines("1.1 src/a.ts", "1.2 depends on 1.1", "1.3 src/a.ts"),
    ["[BLOCKER] 1.1: 1.2 waits for it; 1.3 names src/a.ts after it"],
  ],
  [
    "many, which are cut",
    lines("1.1 a", ...Array.from({ length: 8 }, (_, i) => `1.${i + 2} depends on 1.1`)),
    ["[BLOCKER] 1.1: 1.2, 1.3, 1.4, 1.5, 1.6 and 3 more wait for it"],
  ],
  [
    "keywords",
    lines("1.1 explore what might be", "1.2 the core"),
    ['[RISKY] 1.1: says "explore" and "might"', '[HIGH-VALUE] 1.2: says "core"'],
  ],
  ["what is marked already", lines("1.1 [RISKY] explore", "1.2 [HIGH-VALUE] the core"), []],
  [
    "what a note says already",
    lines("1.1 a\n  > Unblocks: 1.2, 1.3", "1.2 explore\n  > Uncertain: the platform", "1.3 c"),
    [],
  ],
  ["value in what is trivial", lines("1.1 [TRIVIAL] the core"), []],
  ["what is done or verifies", `- [x] 1.1 explore\n${lines("1.2 [VERIFY] explore")}`, []],
])("%s", (_, text, expected) => {
  expect(suggestions(text)).toEqual(expected);
});

it("by score, nothing is suggested: it is in the order", () => {
  expect(suggestions(lines("1.1 explore what might be"), true)).toEqual([]);
});
