import { expect, it } from "vitest";
import { planExact } from "./permissions.ts";

it("names each command once, exactly, and not too many", () => {
  expect(planExact(["node a.mjs", "node a.mjs", "x && y"], []).rules).toEqual([
    "Bash(node a.mjs)",
    "Bash(x && y)",
  ]);
  const many = Array.from({ length: 50 }, (_, i) => `node ${i}.mjs`);
  const { rules, uncovered } = planExact(many, []);
  expect([rules.length, uncovered.length]).toEqual([40, 10]);
});

it.each(["ls *.md", "grep '\\d' a", "a\nb", "a\u202eb", `node ${"x".repeat(200)}`])(
  "has no rule for %j, which it could not show or would not be exact",
  (command) => {
    expect(planExact([command], [])).toEqual({ rules: [], uncovered: [command] });
  },
);

it.each([
  ["npm test -- a", "Bash(npm test:*)", true],
  ["npm test -- a", "Bash(npm test *)", true],
  ["npm test", "Bash(npm test:*)", true],
  ["npm test && rm -rf x", "Bash(npm test:*)", false],
  ["npm testing", "Bash(npm test:*)", false],
  ["npm test -- a", "Bash(npm test)", false],
  ["npm test", "Bash", true],
  ["npm test", "Read", false],
  ["npm test", 5, false],
])("%s is covered by %s: %s", (command, rule, isCovered) => {
  expect(planExact([command], [rule]).rules.length === 0).toBe(isCovered);
});
