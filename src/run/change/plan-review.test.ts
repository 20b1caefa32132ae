import { describe, expect, it } from "vitest";
import { now } from "../../../test/support/scene.ts";
import { parseTasks } from "../../tasks/parse.ts";
import { locate } from "../../tasks/position.ts";
import { agreeToAll, commandsOf, questionOf } from "../agreement.ts";
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
    "1.2.1 Fix: leaks",
    "1.2.2 Fix: answers 200",
  ]);
  expect(tasks).toContain(
    "  - **Do**: major, found in the last review: src/a.ts:3 | answers `200` | return 429\n  - **Files**: src/a.ts\n  - **Commit**: `fix(demo): review finding in src/a.ts`\n",
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

const VERIFIED = `- [x] 1.1 First
  - **Verify**: \`npm test -- first\`
- [x] 1.2 [VERIFY] All
  - **Verify**: \`npm test\` and \`npm run lint\` prints nothing
- [x] 1.3 [VERIFY] Criteria
  - **Verify**: read them all
- [x] 1.4 Last
  - **Verify**: \`npm run build\`
`;

it.each([
  ["the last check that can be run", VERIFIED, ["npm test", "npm run lint (should print nothing)"]],
  [
    "the last task, without such a check",
    VERIFIED.replace("[VERIFY] All", "All"),
    ["npm run build"],
  ],
  [
    "a task whose Verify can fail and is not meant to",
    `${VERIFIED.replace("[VERIFY] All", "All").replace("npm run build", "true")}- [x] 1.5 [RED] Test\n  - **Verify**: \`npm test\` fails\n`,
    ["npm test", "npm run lint (should print nothing)"],
  ],
  [
    "a script, word for word",
    "- [x] 1.1 [VERIFY] All\n  **Verify**:\n  ```bash\n  npm test &&\n    npm run lint\n  ```\n- [x] 1.2 Last\n  - **Do**: it\n",
    ["npm test &&\nnpm run lint"],
  ],
  ["nobody, if nothing can be run", TASKS, []],
])("proves a fix as %s was proven, with commands that are agreed to", (_, text, commands) => {
  const list = parseTasks(review(text, "major | a.ts | b\nmajor | c.ts | d").tasks ?? "");
  const { open } = locate(list);
  expect(open.map((task) => commandsOf(list, task))).toEqual([commands, commands]);
  const agreed = agreeToAll(parseTasks(text));
  expect(open.map((task) => questionOf(agreed, task, commands))).toEqual([undefined, undefined]);
});

it("ends a title between words, and names a commit after the place", () => {
  const what = `the handler **answers** \`200\` to a request ${"that is over the limit ".repeat(9)}`;
  const { tasks = "" } = review(TASKS, `major | GET /users, line 3 | ${what} | b`);
  expect(locate(parseTasks(tasks)).open[0]?.title).toBe(
    "Fix: the handler answers 200 to a request that is over the limit that…",
  );
  expect(tasks).toContain("- **Commit**: `fix(demo): review finding`\n");
  expect(tasks).not.toContain("**Files**");
});

it.each([
  ["REVIEW_PASS", "no findings"],
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

describe("an answer without a verdict", () => {
  it.each([
    ["I could not find the folder.", /^it gave no verdict/],
    ["", /^it gave no verdict/],
    ["I would say REVIEW_PASS if I had read it.", /^it gave no verdict/],
    ["It is all wrong.\nREVIEW_FAIL", /^it failed the change but did not say why/],
  ])("is not a review: %j is asked for once more", (report, note) => {
    const { tasks, write } = review(TASKS, report);
    expect(tasks).toBeUndefined();
    expect(write).toMatchObject({ event: "reviewed", note: expect.stringMatching(note) });
    expect(write.loop).toMatchObject({ review: null, attempts: { review: 1 } });
  });

  it("is the last the second time", () => {
    const { loop } = review(TASKS, "Hm.").write;
    const again = (report: string) =>
      planReview({ ...standing(TASKS), loop: { ...loop, review: "out" } }, { report, agent: "b" })
        .write;
    expect(again("Hm.")).toMatchObject({
      note: expect.stringContaining("nobody has reviewed"),
      loop: { review: "heard" },
    });
    expect(again("REVIEW_PASS")).toMatchObject({
      note: "no findings",
      loop: { review: "heard", attempts: {} },
    });
  });
});
