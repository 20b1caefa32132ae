import { describe, expect, it } from "vitest";
import { applyOrder } from "../edit/reorder.ts";
import { parseTasks } from "../parse.ts";
import { planOrder } from "./plan-order.ts";
import { defaultWeights, type Weights } from "./weights.ts";

const planOf = (text: string, weights?: Partial<Weights>) =>
  planOrder(parseTasks(text), { byScore: true, weights: { ...defaultWeights, ...weights } });

function order(text: string, weights?: Partial<Weights>): string {
  const plan = planOf(text, weights);
  return plan.order.map((index) => plan.tasks[index]?.id).join(" ");
}

const lines = (...tasks: string[]): string => tasks.map((task) => `- [ ] ${task}\n`).join("");
const taskOf = (text: string, at = 0) => planOf(text).tasks[at];

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
    expect(applyOrder(parseTasks(text), planOf(text), { renumber: true }).text)
      .toBe(`## Phase 1: Make It Work

- [ ] 1.1 [BLOCKER] Add loop logic to stop-watcher.sh
  > Unblocks: 1.2 (testing), 1.3, 1.4 (depend on loop working)
- [ ] 1.2 [RISKY] Test stop_hook_active behavior
  > Uncertain: platform-specific behavior, need early validation
- [ ] 1.3 Update implement.md to remove skill invocation
- [ ] 1.4 Update cancel.md to remove skill invocation
`);
  });

  it("with its scores", () => {
    const { tasks } = planOf(text);
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

it("a task that deserves a tag, but stays where it is, does not move", () => {
  const plan = planOf(lines("1.1 a", "1.2 depends on 1.1", "1.3 depends on 1.1"));
  expect(plan).toMatchObject({ moves: false, tasks: [{ tagsToAdd: ["BLOCKER"] }, {}, {}] });
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
    expect(taskOf(lines(task))?.total).toBe(total);
  });

  it.each([
    [0, 1, 6],
    [1, 1, 6],
    [2, 2, 9 + 6],
    [5, 5, 18 + 6],
    [7, 5, 18 + 6],
  ])("of a task that %i wait for counts %i", (count, unblocks, total) => {
    const others = Array.from({ length: count }, (_, i) => `1.${i + 2} depends on 1.1`);
    const first = taskOf(lines("1.1 plain", ...others));
    expect(first?.breakdown.unblocks).toBe(unblocks);
    expect(first?.total).toBe(total);
  });

  it("count direct dependants, in other phases too, but none that is done or its own sub-task", () => {
    expect(
      taskOf(lines("1.1 a", "1.2 depends on 1.1", "1.3 depends on 1.2"))?.breakdown.unblocks,
    ).toBe(1);
    expect(
      taskOf(`${lines("1.1 a", "1.2 depends on 1.1")}\n## B\n\n${lines("2.1 depends on 1.1")}`)
        ?.breakdown.unblocks,
    ).toBe(2);
    expect(
      taskOf(`${lines("1.1 a", "1.2 depends on 1.1")}- [x] 1.3 depends on 1.1\n`)?.tagsToAdd,
    ).toEqual([]);
    expect(
      taskOf("- [ ] 1.1 a\n  - [ ] 1.1.1 depends on 1.1\n  - [ ] 1.1.2 depends on 1.1\n")
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

describe("tags and notes", () => {
  it("say what makes a task early, and only what it does not say itself", () => {
    const [first, , , , last] = planOf(
      lines(
        "1.1 make src/a.ts",
        "1.2 depends on 1.1",
        "1.3 use src/a.ts",
        "1.4 x",
        "1.5 explore what might be critical to the core",
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
    expect(taskOf(`- [ ] 1.1 [BLOCKER] a\n  > Unblocks: 1.2\n${lines(...waits)}`)).toMatchObject({
      tagsToAdd: [],
      notesToAdd: [],
    });
    expect(taskOf(`- [x] 1.1 a\n${lines(...waits)}`)).toMatchObject({
      tagsToAdd: [],
      notesToAdd: [],
    });
    expect(taskOf(lines("1.1 [VERIFY] a", ...waits))).toMatchObject({
      tagsToAdd: [],
      notesToAdd: [],
    });
    expect(planOf(lines("1.1 a", "1.2 b")).moves).toBe(false);
  });

  it("a fix is said to unblock only what its tag does not say", () => {
    const text = lines("1.1 a", "1.1.1 [FIX 1.1] b", "1.2 depends on 1.1.1");
    expect(taskOf(text, 1)?.notesToAdd).toEqual(["> Unblocks: 1.2"]);
  });

  it("a long list is cut", () => {
    const others = Array.from({ length: 14 }, (_, i) => `1.${i + 2} depends on 1.1`);
    expect(taskOf(lines("1.1 a", ...others))?.notesToAdd[0]).toMatch(/1\.11 \(and 4 more\)$/);
  });

  it("no note closes a cycle with words that point backwards", () => {
    const text = `- [ ] 1.1 [BLOCKER] src/a.ts, depends on 1.2\n- [ ] 1.2 [VERIFY] x, depends on 2.1\n\n## B\n\n${lines("2.1 src/a.ts", "2.2 src/a.ts")}`;
    expect(taskOf(text)?.notesToAdd).toEqual([]);
  });
});
