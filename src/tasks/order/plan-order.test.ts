import { describe, expect, it } from "vitest";
import { applyOrder } from "../edit/reorder.ts";
import { parseTasks } from "../parse.ts";
import { planOrder } from "./plan-order.ts";
import { defaultWeights, type Weights } from "./weights.ts";

function order(text: string, weights?: Partial<Weights>): string {
  const list = parseTasks(text);
  const plan = planOrder(list, { ...defaultWeights, ...weights });
  return plan.order.map((index) => list.tasks[index]?.id).join(" ");
}

const lines = (...tasks: string[]): string => tasks.map((task) => `- [ ] ${task}\n`).join("");
const planOf = (text: string, at = 0) => planOrder(parseTasks(text)).tasks[at];

describe("a worked example", () => {
  const text = `## Phase 1: Make It Work

- [ ] 1.1 Update implement.md to remove skill invocation
- [ ] 1.2 Add loop logic to stop-watcher.sh
  > Unblocks: 1.3 (testing), 1.1, 1.4 (depend on loop working)
- [ ] 1.3 [RISKY] Test stop_hook_active behavior
  > Uncertain: platform-specific behavior, need early validation
- [ ] 1.4 Update cancel.md to remove skill invocation
`;

  it("comes out as it should", () => {
    const list = parseTasks(text);
    const plan = planOrder(list);
    expect(applyOrder(list, plan, { renumber: true }).text).toBe(`## Phase 1: Make It Work

- [ ] 1.1 [BLOCKER] Add loop logic to stop-watcher.sh
  > Unblocks: 1.2 (testing), 1.3, 1.4 (depend on loop working)
- [ ] 1.2 [RISKY] Test stop_hook_active behavior
  > Uncertain: platform-specific behavior, need early validation
- [ ] 1.3 Update implement.md to remove skill invocation
- [ ] 1.4 Update cancel.md to remove skill invocation
`);
  });

  it("with its scores", () => {
    const { tasks } = planOrder(parseTasks(text));
    expect(
      tasks.map(({ id, breakdown, total, from, to }) => [id, breakdown, total, from, to]),
    ).toEqual([
      ["1.1", { unblocks: 1, uncertainty: 1, impact: 1, tags: 0 }, 6, 0, 2],
      ["1.2", { unblocks: 3, uncertainty: 1, impact: 1, tags: 6 }, 18, 1, 0],
      ["1.3", { unblocks: 1, uncertainty: 3, impact: 1, tags: 4 }, 14, 2, 1],
      ["1.4", { unblocks: 1, uncertainty: 1, impact: 1, tags: 0 }, 6, 3, 3],
    ]);
  });
});

describe("scores", () => {
  it.each([
    ["1.1 plain", 6],
    ["1.1 [BLOCKER] plain", 12],
    ["1.1 [RISKY] plain", 10],
    ["1.1 [HIGH-VALUE] plain", 8],
    ["1.1 [TRIVIAL] plain", 4],
    ["1.1 [BLOCKER] [RISKY] [HIGH-VALUE] [TRIVIAL] plain", 16],
    ["1.1 explore", 8],
    // Two words: 2 × 3, and what that makes it, +4.
    ["1.1 explore what might be", 14],
    ["1.1 core", 7],
    ["1.1 critical to the core", 10],
    ["1.1 [TRIVIAL] critical to the core", 6],
  ])("%s: %i", (task, total) => {
    expect(planOf(lines(task))?.total).toBe(total);
  });

  it.each([
    [0, 1, 6],
    [1, 1, 6],
    [2, 2, 9 + 6],
    [5, 5, 18 + 6],
    [7, 5, 18 + 6],
  ])("of a task that %i wait for counts %i", (count, unblocks, total) => {
    const others = Array.from({ length: count }, (_, i) => `1.${i + 2} depends on 1.1`);
    const first = planOf(lines("1.1 plain", ...others));
    expect(first?.breakdown.unblocks).toBe(unblocks);
    expect(first?.total).toBe(total);
  });

  it("count direct dependants, in other phases too, but none that is done or its own sub-task", () => {
    expect(
      planOf(lines("1.1 a", "1.2 depends on 1.1", "1.3 depends on 1.2"))?.breakdown.unblocks,
    ).toBe(1);
    expect(
      planOf(`${lines("1.1 a", "1.2 depends on 1.1")}\n## B\n\n${lines("2.1 depends on 1.1")}`)
        ?.breakdown.unblocks,
    ).toBe(2);
    expect(
      planOf(`${lines("1.1 a", "1.2 depends on 1.1")}- [x] 1.3 depends on 1.1\n`)?.tagsToAdd,
    ).toEqual([]);
    expect(
      planOf("- [ ] 1.1 a\n  - [ ] 1.1.1 depends on 1.1\n  - [ ] 1.1.2 depends on 1.1\n")
        ?.tagsToAdd,
    ).toEqual([]);
  });

  it("follow the weights", () => {
    const text = lines(
      "1.1 plain",
      "1.2 explore",
      "1.3 core",
      "1.4 [TRIVIAL] x",
      "1.5 [HIGH-VALUE] y",
    );
    expect(order(text)).toBe("1.2 1.5 1.3 1.1 1.4");
    expect(order(text, { impact: 9 })).toBe("1.3 1.2 1.5 1.1 1.4");
    expect(order(text, { trivial: 50 })).toBe("1.4 1.2 1.5 1.3 1.1");
    expect(order(text, { uncertainty: 0, impact: 0, highValue: 0, trivial: 0 })).toBe(
      "1.1 1.2 1.3 1.4 1.5",
    );
  });
});

describe("order", () => {
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
      "a dependency that comes late is pulled up",
      lines("1.1 [RISKY] depends on 1.3", "1.2 b", "1.3 [TRIVIAL] c"),
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
  ])("%s", (_, text, expected) => {
    expect(order(text)).toBe(expected);
    expect(order(text.replaceAll("\n", "\r\n"))).toBe(expected);
  });

  it("says which stretch it leaves alone, and why", () => {
    const circle = lines("1.1 depends on 1.2", "1.2 depends on 1.1", "1.3 [RISKY] c");
    expect(planOrder(parseTasks(circle)).held).toEqual([{ line: 1, reason: "cycle" }]);
    const runs = lines("1.1 [P] a", "1.2 [BLOCKER] b", "1.3 [P] c", "1.4 [VERIFY] d");
    expect(planOrder(parseTasks(runs)).held).toEqual([]);
    const stuck = lines("1.1 [P] a", "1.2 [BLOCKER] b", "1.3 [P] c", "1.4 depends on 1.1, 1.3");
    expect(planOrder(parseTasks(stuck)).held).toEqual([{ line: 1, reason: "parallel" }]);
    expect(order(stuck)).toBe("1.1 1.2 1.3 1.4");
  });
});

describe("tags and notes", () => {
  it("say what makes a task early, and only what it does not say itself", () => {
    const [first, , , , last] = planOrder(
      parseTasks(
        lines(
          "1.1 make src/a.ts",
          "1.2 depends on 1.1",
          "1.3 use src/a.ts",
          "1.4 x",
          "1.5 explore what might be critical to the core",
        ),
      ),
    ).tasks;
    expect(first).toMatchObject({
      tagsToAdd: ["BLOCKER"],
      notesToAdd: ["> Unblocks: 1.2, 1.3 (src/a.ts)"],
    });
    expect(last).toMatchObject({
      tagsToAdd: ["RISKY", "HIGH-VALUE"],
      notesToAdd: ['> Uncertain: says "explore" and "might"'],
    });
  });

  it("are not added twice, nor to what is done or verifies", () => {
    const waits = ["1.2 depends on 1.1", "1.3 depends on 1.1"];
    expect(planOf(`- [ ] 1.1 [BLOCKER] a\n  > Unblocks: 1.2\n${lines(...waits)}`)).toMatchObject({
      tagsToAdd: [],
      notesToAdd: [],
    });
    expect(planOf(`- [x] 1.1 a\n${lines(...waits)}`)).toMatchObject({
      tagsToAdd: [],
      notesToAdd: [],
    });
    expect(planOf(lines("1.1 [VERIFY] a", ...waits))).toMatchObject({
      tagsToAdd: [],
      notesToAdd: [],
    });
    expect(planOrder(parseTasks(lines("1.1 a", "1.2 b"))).changes).toBe(false);
  });

  it("a fix is said to unblock only what its tag does not say", () => {
    const text = lines("1.1 a", "1.1.1 [FIX 1.1] b", "1.2 depends on 1.1.1");
    expect(planOf(text, 1)?.notesToAdd).toEqual(["> Unblocks: 1.2"]);
  });

  it("a long list is cut", () => {
    const others = Array.from({ length: 14 }, (_, i) => `1.${i + 2} depends on 1.1`);
    expect(planOf(lines("1.1 a", ...others))?.notesToAdd[0]).toMatch(/1\.11 \(and 4 more\)$/);
  });

  it("no note closes a cycle with words that point backwards", () => {
    const text = `- [ ] 1.1 [BLOCKER] src/a.ts, depends on 1.2\n- [ ] 1.2 [VERIFY] x, depends on 2.1\n\n## B\n\n${lines("2.1 src/a.ts", "2.2 src/a.ts")}`;
    expect(planOf(text)?.notesToAdd).toEqual([]);
  });
});
