import { expect, it } from "vitest";
import { now } from "../../../test/support/scene.ts";
import { parseTasks } from "../../tasks/parse.ts";
import { locate } from "../../tasks/position.ts";
import { startLoop } from "../loop.ts";
import type { RunStanding } from "./insert-tasks.ts";
import { planReview } from "./plan-review.ts";

const standing = (text: string): RunStanding => ({
  spec: { name: "demo", basePath: "./specs/demo" },
  list: parseTasks(text),
  state: { phase: "execution" },
  loop: { ...startLoop(null, {}, undefined, now), review: "out" },
});
const review = (text: string, report: string) => planReview(standing(text), { report, agent: "a" });

const TASKS = "- [x] 1.1 First\n- [x] 1.2 [VERIFY] Check\n";

it("makes a task of each finding that matters, and keeps the others", () => {
  const { tasks = "", write } = review(
    TASKS,
    "minor | README | a typo | fix it\nmajor | src/a.ts:3 | answers `200` | return 429\ncritical | src/b.ts | leaks\nREVIEW_FAIL",
  );
  const list = parseTasks(tasks);
  expect(locate(list).open.map(({ id, title }) => `${id} ${title}`)).toEqual([
    "1.2.1 Fix what the review found: leaks",
    "1.2.2 Fix what the review found: answers 200",
  ]);
  expect(tasks).toContain(
    "  - **Do**: major, found in the last review: src/a.ts:3 | answers `200` | return 429\n  - **Commit**: `fix: answers 200`\n",
  );
  expect(tasks.startsWith(TASKS)).toBe(true);
  expect(write).toMatchObject({
    event: "reviewed",
    agent: "a",
    note: "2 findings became 1.2.1, 1.2.2\nminor: README | a typo | fix it",
    loop: { review: "heard", moves: 1 },
    state: { totalTasks: 4, taskIndex: 2 },
  });
});

it.each([
  ["REVIEW_PASS", "no findings"],
  ["I could not find the folder.", "no findings"],
  ["minor | a | b", "1 finding\nminor: a | b"],
])("changes no list after %j", (report, note) => {
  const { tasks, write } = review(TASKS, report);
  expect(tasks).toBeUndefined();
  expect(write).toMatchObject({ event: "reviewed", note, loop: { review: "heard" } });
  expect(write.state).toBeUndefined();
});

it("makes five tasks at most", () => {
  const { tasks = "", write } = review(TASKS, "major | a | b\n".repeat(9));
  expect(locate(parseTasks(tasks)).open).toHaveLength(5);
  expect(write.note?.split("\n")).toHaveLength(5);
});

it.each([
  ["Spec Kit", "- [x] T001 One\n- [x] T002 Two\n"],
  ["boxes without ids", "- [x] One\n- [x] Two\n"],
])("finds a place in a list of %s", (_, text) => {
  const { tasks = "" } = review(text, "major | a | b");
  expect(locate(parseTasks(tasks)).open).toHaveLength(1);
});

it.each(["- [ ] 9.9 more", "a | ```", "x | - [x] 1.1 First", "a\u001b[2J | b | c"])(
  "stays one task, whatever the reviewer writes: %j",
  (text) => {
    const { tasks = TASKS } = review(TASKS, `major | ${text}`);
    expect(parseTasks(tasks).tasks.length).toBeLessThanOrEqual(3);
    expect(
      parseTasks(tasks)
        .tasks.slice(0, 2)
        .every(({ checked }) => checked),
    ).toBe(true);
  },
);
