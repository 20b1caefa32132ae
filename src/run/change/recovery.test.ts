import { describe, expect, it } from "vitest";
import { now } from "../../../test/support/scene.ts";
import { findTask } from "../../tasks/find.ts";
import type { Task } from "../../tasks/model.ts";
import { parseTasks } from "../../tasks/parse.ts";
import { locate } from "../../tasks/position.ts";
import type { Entry } from "../journal.ts";
import { startLoop } from "../loop.ts";
import type { State } from "../state.ts";
import type { RunStanding } from "./insert-tasks.ts";
import { addHistory, planFailure } from "./recovery.ts";

const TASKS = `## Phase 1

- [ ] 1.1 Add the limit
  - **Do**: add it
  - **Files**: src/limit.ts, src/server.ts
  - **Done when**: it limits
  - **Verify**: \`npm test -- limit\`
  - **Commit**: \`feat(api): add a limit\`

- [ ] 1.2 Next
`;

const standing = (text = TASKS, state: State = {}): RunStanding => ({
  spec: { name: "demo", basePath: "./specs/demo" },
  list: parseTasks(text),
  state: { phase: "execution", recoveryMode: true, taskIndex: 0, ...state },
  loop: startLoop(null, state, undefined, now),
});

const taskIn = ({ list }: RunStanding, id: string): Task => findTask(list, id) as Task;

/** What a failure leads to, and the run afterwards. */
function fail(at: RunStanding, id: string, reason: string, last?: Entry) {
  const failure = planFailure(at, last === undefined ? [] : [last], taskIn(at, id), { reason });
  const write = failure.writes.at(-1);
  const after: RunStanding = {
    ...at,
    list: failure.tasks === undefined ? at.list : parseTasks(failure.tasks),
    state: { ...at.state, ...(write?.state as State | undefined) },
    loop: write?.loop ?? at.loop,
  };
  return { failure, after, last: write === undefined ? last : { at: now.at, ...write } };
}

describe("a failure in recovery mode", () => {
  it("gets a fix task with its words, files and proof, and comes after it", () => {
    const { failure, after } = fail(standing(), "1.1", "the second call is let through.");
    expect(failure).toMatchObject({
      failed: 1,
      left: 4,
      repeated: false,
      fix: { id: "1.1.1", isNew: true },
    });
    expect(failure.tasks).toBe(
      TASKS.replace(
        "\n- [ ] 1.2",
        `
- [ ] 1.1.1 [FIX 1.1] Fix: Add the limit
  - **Do**: 1.1 failed: the second call is let through. Fix the cause and nothing else; 1.1 itself is tried again afterwards
  - **Files**: src/limit.ts, src/server.ts
  - **Verify**: \`npm test -- limit\`
  - **Commit**: \`fix(api): Add the limit\`

- [ ] 1.2`,
      ),
    );
    expect(failure.writes.map(({ event, task }) => [event, task])).toEqual([
      ["failed", "1.1"],
      ["fix-added", "1.1"],
    ]);
    expect(failure.writes[0]?.state).toBeUndefined();
    expect(failure.writes[1]?.state).toMatchObject({
      totalTasks: 3,
      taskIndex: 1,
      taskIteration: 1,
      fixTaskMap: {
        "1.1": {
          attempts: 1,
          fixTaskIds: ["1.1.1"],
          lastError: "the second call is let through.",
        },
      },
    });
    expect(locate(after.list).current.map((task) => task.id)).toEqual(["1.1.1"]);
    expect(failure.history).toBe(
      "- 1.1.1 [FIX 1.1], after failure 1 of 5: the second call is let through.",
    );
  });

  it("is one failure if reported twice in a row", () => {
    const first = fail(standing(), "1.1", "no");
    const again = fail(first.after, "1.1", "no", first.last);
    expect(again.failure).toEqual({
      repeated: true,
      failed: 1,
      left: 4,
      fix: { id: "1.1.1", isNew: false },
      writes: [],
    });
  });

  it("gets three fix tasks, then plain attempts, then none", () => {
    let at = standing();
    let last: Entry | undefined;
    const seen = ["a", "b", "c", "d", "e"].map((reason) => {
      const told = fail(at, "1.1", reason, last);
      ({ after: at, last } = told);
      return [told.failure.fix?.id, told.failure.noFix, told.failure.left];
    });
    expect(seen).toEqual([
      ["1.1.1", undefined, 4],
      ["1.1.2", undefined, 3],
      ["1.1.3", undefined, 2],
      [undefined, "1.1 has had its 3 fix tasks", 1],
      [undefined, undefined, 0],
    ]);
  });

  it("nests three deep", () => {
    let at = standing();
    const ids = ["1.1", "1.1.1", "1.1.1.1", "1.1.1.1.1"].map((id) => {
      const told = fail(at, id, `${id} broke`);
      at = told.after;
      return told.failure.fix?.id ?? told.failure.noFix;
    });
    expect(ids).toEqual(["1.1.1", "1.1.1.1", "1.1.1.1.1", "fixes nest no deeper than 3"]);
    expect(locate(at.list).current.map((task) => task.id)).toEqual(["1.1.1.1.1"]);
  });

  it.each<[what: string, text: string, state: State, says: RegExp]>([
    [
      "counts tags where the state lost its map",
      "- [ ] 1.1 a\n- [x] 2.1 [FIX 1.1] b\n- [x] 3.1 [FIX 1.1] c\n- [x] 4.1 [FIX 1.1] d\n",
      {},
      /has had its 3/,
    ],
    [
      "counts fixes that were taken out",
      "- [ ] 1.1 a\n",
      { fixTaskMap: { "1.1": { fixTaskIds: ["x", "y", "z"] } } },
      /has had its 3/,
    ],
    [
      "bears a map that makes no sense",
      "- [ ] 1.1 a\n",
      { fixTaskMap: { "1.1": { fixTaskIds: 3 } }, maxFixTasksPerOriginal: 0 },
      /has had its 0/,
    ],
    [
      "keeps its limit where the state raises it",
      "- [ ] 1.1 a\n",
      { fixTaskMap: { "1.1": { fixTaskIds: ["x", "y", "z"] } }, maxFixTasksPerOriginal: 99 },
      /has had its 3/,
    ],
    [
      "keeps its depth where the state raises it",
      "- [ ] 1.1 [FIX 2.1] a\n- [x] 2.1 [FIX 3.1] b\n- [x] 3.1 [FIX 4.1] c\n- [x] 4.1 d\n",
      { maxFixTaskDepth: 99 },
      /no deeper than 3/,
    ],
    ["keeps a depth of its own", TASKS, { maxFixTaskDepth: 0 }, /no deeper than 0/],
  ])("%s", (_, text, state, says) => {
    expect(fail(standing(text, state), "1.1", "no").failure.noFix).toMatch(says);
  });

  it("does not make a fix that a dead process already made", () => {
    const { after } = fail(standing(), "1.1", "no luck");
    const again = fail({ ...standing(), list: after.list }, "1.1", "no luck").failure;
    expect(again).toMatchObject({ fix: { id: "1.1.1", isNew: false }, failed: 1, repeated: false });
    expect(again.tasks).toBeUndefined();
    expect(again.writes.map(({ event }) => event)).toEqual(["failed"]);
  });

  it("is simply retried if the task has no id", () => {
    const { failure } = fail(standing("- [ ] some work\n"), "#1", "no");
    expect(failure).toMatchObject({ noFix: "#1 has no id for a fix to refer to", failed: 1 });
  });

  it("writes the fix as the file is written", () => {
    const text = "\uFEFF* [ ] **T001** [P] [US1] do\r\n\t**Files**: a.ts\r\n* [ ] **T002** next";
    const { failure } = fail(standing(text), "T001", "no");
    expect(failure.tasks).toBe(
      "\uFEFF* [ ] **T001** [P] [US1] do\r\n\t**Files**: a.ts\r\n" +
        "* [ ] **T001a** [FIX T001] Fix: do\r\n" +
        "\t**Do**: T001 failed: no. Fix the cause and nothing else; T001 itself is tried again afterwards\r\n" +
        "\t**Files**: a.ts\r\n\t**Commit**: `fix(demo): do`\r\n* [ ] **T002** next",
    );
  });

  it("moves the counts of boxes without an id along", () => {
    const at = standing("- [ ] one\n- [ ] 1.1 two\n- [ ] three\n");
    const loop = { ...at.loop, attempts: { "#1": 2, "#3": 4 } };
    expect(fail({ ...at, loop }, "1.1", "no").after.loop.attempts).toEqual({
      "#1": 2,
      "#4": 4,
      "1.1": 2,
    });
  });
});

describe("a failure without recovery mode", () => {
  it("is counted, and nothing else", () => {
    const { failure } = fail(standing(TASKS, { recoveryMode: false }), "1.1", "no");
    expect(failure.writes).toMatchObject([{ event: "failed", state: { taskIteration: 2 } }]);
    expect(failure).not.toHaveProperty("tasks");
    expect(failure).not.toHaveProperty("noFix");
  });

  it("gets a fix task if it is a check, because whoever checks changes nothing", () => {
    const checked = TASKS.replace("1.2 Next", "1.2 [VERIFY] Criteria");
    const at = standing(checked, { recoveryMode: false, maxFixTasksPerOriginal: 1 });
    const { failure, after, last } = fail(at, "1.2", "VERIFICATION_FAIL 429 is never sent");
    expect(failure).toMatchObject({ failed: 1, fix: { id: "1.2.1", isNew: true } });
    expect(failure.tasks).toContain(
      "- [ ] 1.2.1 [FIX 1.2] Fix: Criteria\n  - **Do**: 1.2 failed: VERIFICATION_FAIL 429 is never sent. Fix",
    );
    const again = fail(after, "1.2", "still", last).failure;
    expect(again).toMatchObject({ failed: 2, noFix: "1.2 has had its 1 fix tasks" });
  });
});

describe("the history of fixes", () => {
  it.each<[what: string, before: string, after: string]>([
    ["begins a file", "", "## Fix Task History\n\n- new\n"],
    [
      "begins a section",
      "# Progress\n\nnotes\n",
      "# Progress\n\nnotes\n\n## Fix Task History\n\n- new\n",
    ],
    ["goes on", "## Fix Task History\n\n- old\n", "## Fix Task History\n\n- old\n- new\n"],
    [
      "stays in its section",
      "## Fix Task History\n- old\n\n## Next\n",
      "## Fix Task History\n- old\n- new\n\n## Next\n",
    ],
    ["fills an empty section", "## Fix Task History\n", "## Fix Task History\n\n- new\n"],
    [
      "keeps its line endings",
      "a\r\n## Fix Task History\r\n- old\r\n",
      "a\r\n## Fix Task History\r\n- old\r\n- new\r\n",
    ],
    ["says nothing twice", "## Fix Task History\n- new\n", "## Fix Task History\n- new\n"],
  ])("%s", (_, before, after) => {
    expect(addHistory(before, "- new")).toBe(after);
  });
});
