import { describe, expect, it } from "vitest";
import { applyOrder } from "../edit/reorder.ts";
import { parseTasks } from "../parse.ts";
import { planOrder } from "./plan-order.ts";

function order(text: string, byScore = false): string {
  const list = parseTasks(text);
  return planOrder(list, { byScore })
    .order.map((index) => list.tasks[index]?.id)
    .join(" ");
}

const lines = (...tasks: string[]): string => tasks.map((task) => `- [ ] ${task}\n`).join("");
const file = (path: string): string => `\n  - **Files**: \`${path}\``;
const verify = (command: string): string => `\n  - **Verify**: \`${command}\``;

it("a worked example comes out as it should, once its author has marked it", () => {
  const list = parseTasks(`## Phase 1: Make It Work

- [ ] 1.1 Update implement.md to remove skill invocation
- [ ] 1.2 [BLOCKER] Add loop logic to stop-watcher.sh
  > Unblocks: 1.3 (testing), 1.1, 1.4 (depend on loop working)
- [ ] 1.3 [RISKY] Test stop_hook_active behavior
  > Uncertain: platform-specific behavior, need early validation
- [ ] 1.4 Update cancel.md to remove skill invocation
`);
  const plan = planOrder(list);
  expect(plan.suggestions).toEqual([]);
  expect(applyOrder(list, plan, { renumber: true }).text).toBe(`## Phase 1: Make It Work

- [ ] 1.1 [BLOCKER] Add loop logic to stop-watcher.sh
  > Unblocks: 1.2 (testing), 1.3, 1.4 (depend on loop working)
- [ ] 1.2 [RISKY] Test stop_hook_active behavior
  > Uncertain: platform-specific behavior, need early validation
- [ ] 1.3 Update implement.md to remove skill invocation
- [ ] 1.4 Update cancel.md to remove skill invocation
`);
});

describe("the author's order", () => {
  it.each([
    [
      "stands, whatever words say",
      lines("1.1 a", "1.2 explore what might be", "1.3 critical to the core"),
      "1.1 1.2 1.3",
    ],
    [
      "stands, however many name a file",
      lines("1.1 a", "1.2 src/a.ts", "1.3 src/a.ts", "1.4 src/a.ts"),
      "1.1 1.2 1.3 1.4",
    ],
    [
      "stands, however many wait for a task that already comes before them",
      lines("1.1 a", "1.2 b", "1.3 depends on 1.2", "1.4 depends on 1.2"),
      "1.1 1.2 1.3 1.4",
    ],
    [
      "gives way to tags, in this order",
      lines("1.1 [TRIVIAL] a", "1.2 b", "1.3 [HIGH-VALUE] c", "1.4 [RISKY] d", "1.5 [BLOCKER] e"),
      "1.5 1.4 1.3 1.2 1.1",
    ],
    ["stands between equals", lines("1.1 [RISKY] a", "1.2 b", "1.3 [RISKY] c"), "1.1 1.3 1.2"],
    [
      "of two tags the first in that order counts",
      lines("1.1 [RISKY] a", "1.2 [TRIVIAL] [BLOCKER] b"),
      "1.2 1.1",
    ],
    ["gives way to doubt", lines("1.1 a", "1.2 b\n  > Uncertain: the platform"), "1.2 1.1"],
    [
      "gives way to a note that names two tasks",
      lines("1.1 a", "1.2 b\n  > Unblocks: 1.3, 1.4", "1.3 c", "1.4 d"),
      "1.2 1.1 1.3 1.4",
    ],
    [
      "a note that names one is a dependency",
      lines("1.1 a", "1.2 b\n  > Unblocks: 1.3", "1.3 c"),
      "1.1 1.2 1.3",
    ],
    ["gives way to a dependency", lines("1.1 depends on 1.3", "1.2 b", "1.3 c"), "1.2 1.3 1.1"],
    [
      "what a marked task depends on comes with it",
      lines("1.1 a", "1.2 b", "1.3 c, depends on 1.2", "1.4 [RISKY] depends on 1.3"),
      "1.2 1.3 1.4 1.1",
    ],
    [
      "a shared file brings nothing with it; it only holds",
      lines("1.1 a", "1.2 src/a.ts", "1.3 [BLOCKER] src/a.ts"),
      "1.1 1.2 1.3",
    ],
    [
      "a file in a command holds too",
      lines(`1.1 a${file("test/a.bats")}`, `1.2 [RISKY] run it${verify("bats test/a.bats")}`),
      "1.1 1.2",
    ],
    [
      "a task that mentions a file before it is made does not wait for it",
      lines(`1.1 a${verify("cat src/a.ts")}`, `1.2 [RISKY] b${file("src/a.ts")}`),
      "1.2 1.1",
    ],
    [
      "the trivial stays before what waits for it",
      lines("1.1 [TRIVIAL] src/a.ts", "1.2 src/a.ts", "1.3 c"),
      "1.1 1.2 1.3",
    ],
    [
      "the trivial goes to the end of its segment, not of its phase",
      lines("1.1 [TRIVIAL] a", "1.2 b", "1.3 [VERIFY] c", "1.4 d"),
      "1.2 1.1 1.3 1.4",
    ],
    [
      "a trivial task takes its sub-tasks along",
      "- [ ] 1.1 [TRIVIAL] a\n  - [ ] 1.1.1 b\n- [ ] 1.2 c\n",
      "1.2 1.1 1.1.1",
    ],
    [
      "one trivial member does not send a parallel run to the end",
      lines("1.1 [P] a", "1.2 [P] [TRIVIAL] b", "1.3 c"),
      "1.1 1.2 1.3",
    ],
  ])("%s", (_, text, expected) => {
    expect(order(text)).toBe(expected);
  });

  it("gets no tags and no notes that its author did not write", () => {
    const text = lines(
      "1.1 [TRIVIAL] explore what might be core src/a.ts",
      "1.2 b",
      "1.3 src/a.ts",
    );
    const list = parseTasks(text + lines("1.4 src/a.ts"));
    const { tasks } = planOrder(list);
    expect(tasks.flatMap(({ tagsToAdd, notesToAdd }) => [...tagsToAdd, ...notesToAdd])).toEqual([]);
  });
});

describe.each([
  ["as marked", false],
  ["by score", true],
])("order %s", (_, byScore) => {
  it.each([
    ["ties stay", lines("1.1 a", "1.2 b", "1.3 c"), "1.1 1.2 1.3"],
    ["the trivial goes last", lines("1.1 [TRIVIAL] a", "1.2 b"), "1.2 1.1"],
    [
      "a test-first cycle stays together, and in its order",
      lines(
        "1.1 [RED] a test",
        "1.2 [GREEN] [HIGH-VALUE] a",
        "1.3 [YELLOW] tidy",
        "1.4 [RED] [RISKY] b test",
        "1.5 [GREEN] b",
      ),
      "1.4 1.5 1.1 1.2 1.3",
    ],
    ["phases stay", `## A\n\n${lines("1.1 a")}\n## B\n\n${lines("2.1 [RISKY] b")}`, "1.1 2.1"],
    ["[VERIFY] is a wall", lines("1.1 a", "1.2 [VERIFY] b", "1.3 [RISKY] c"), "1.1 1.2 1.3"],
    [
      "sorts on both sides of a wall",
      lines("1.1 a", "1.2 [RISKY] b", "1.3 [VERIFY] c", "1.4 d", "1.5 [RISKY] e"),
      "1.2 1.1 1.3 1.5 1.4",
    ],
    [
      "what is done is a wall",
      `${lines("1.1 a")}- [x] 1.2 b\n${lines("1.3 [RISKY] c")}`,
      "1.1 1.2 1.3",
    ],
    ["never before a dependency", lines("1.1 a", "1.2 [RISKY] depends on 1.1"), "1.1 1.2"],
    ["nor before the maker of a file", lines("1.1 src/a.ts", "1.2 [RISKY] src/a.ts"), "1.1 1.2"],
    [
      "a dependency that comes late comes first",
      lines("1.1 depends on 1.3", "1.2 b", "1.3 c"),
      "1.2 1.3 1.1",
    ],
    [
      "a parallel run moves as one, by its best",
      lines("1.1 a", "1.2 [P] b", "1.3 [P] [RISKY] c"),
      "1.2 1.3 1.1",
    ],
    [
      "two runs do not come together",
      lines("1.1 [P] a", "1.2 b", "1.3 [P] [RISKY] c"),
      "1.3 1.2 1.1",
    ],
    [
      "runs stay apart where only one task can part them",
      lines("1.1 [P] a", "1.2 [BLOCKER] b", "1.3 [P] c"),
      "1.1 1.2 1.3",
    ],
    [
      "a fix stays behind its task",
      lines("1.1 a", "1.2 b", "1.2.1 [FIX 1.2] [RISKY] c"),
      "1.2 1.2.1 1.1",
    ],
    [
      "text between tasks is a wall",
      `${lines("1.1 a")}\nThen:\n\n${lines("1.2 [RISKY] b")}`,
      "1.1 1.2",
    ],
    ["blank lines are none", `${lines("1.1 a")}\n${lines("1.2 [RISKY] b")}`, "1.2 1.1"],
    [
      "2. above 2.1 is a heading",
      lines("1. A", "1.1 a", "1.2 [RISKY] b", "2. [RISKY] B", "2.1 c"),
      "1 1.2 1.1 2 2.1",
    ],
    [
      "sub-tasks go with their task",
      "- [ ] 1.1 a\n  - [ ] 1.1.1 b\n- [ ] 1.2 [RISKY] c\n  - [ ] 1.2.1 d\n",
      "1.2 1.2.1 1.1 1.1.1",
    ],
    [
      "a risky sub-task lifts its task",
      "- [ ] 1.1 a\n- [ ] 1.2 c\n  - [ ] 1.2.1 [RISKY] d\n",
      "1.2 1.2.1 1.1",
    ],
    ["boxes without ids are tasks too", "- [ ] a\n- [ ] [RISKY] b\n", "#2 #1"],
    [
      "an open fence at the margin stays last",
      "- [ ] 1.1 a\n- [ ] 1.2 [RISKY] b\n```\ncode\n",
      "1.1 1.2",
    ],
  ])("%s", (_name, text, expected) => {
    expect(order(text, byScore)).toBe(expected);
    expect(order(text.replaceAll("\n", "\r\n"), byScore)).toBe(expected);
  });

  it("says which stretch it leaves alone, and why", () => {
    const circle = lines("1.1 depends on 1.2", "1.2 depends on 1.1", "1.3 [RISKY] c");
    expect(planOrder(parseTasks(circle), { byScore }).held).toEqual([{ line: 1, reason: "cycle" }]);
    const runs = lines("1.1 [P] a", "1.2 [BLOCKER] b", "1.3 [P] c", "1.4 [VERIFY] d");
    expect(planOrder(parseTasks(runs), { byScore }).held).toEqual([]);
    const stuck = lines("1.1 [P] a", "1.2 [BLOCKER] b", "1.3 [P] c", "1.4 depends on 1.1, 1.3");
    expect(planOrder(parseTasks(stuck), { byScore }).held).toEqual([
      { line: 1, reason: "parallel" },
    ]);
    expect(order(stuck, byScore)).toBe("1.1 1.2 1.3 1.4");
  });
});
