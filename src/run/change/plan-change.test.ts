import { describe, expect, it } from "vitest";
import { now } from "../../../test/support/scene.ts";
import { setChecked } from "../../tasks/edit/tick.ts";
import { findTask } from "../../tasks/find.ts";
import type { Task } from "../../tasks/model.ts";
import { parseTasks } from "../../tasks/parse.ts";
import { locate } from "../../tasks/position.ts";
import { startLoop } from "../loop.ts";
import type { State } from "../state.ts";
import type { RunStanding, InsertPosition } from "./insert-tasks.ts";
import { type Change, planAddition, planSplit } from "./plan-change.ts";

const TASKS = `- [ ] 1.1 First
  - **Do**: all of it
  - **Files**: src/a.ts
  - **Verify**: \`npm test\`
  - **Commit**: \`feat(api): first\`
- [ ] 1.2 Second
`;

const standing = (text = TASKS, state: State = {}): RunStanding => ({
  spec: { name: "demo", basePath: "./specs/demo" },
  list: parseTasks(text),
  state: { phase: "execution", ...state },
  loop: startLoop(null, state, undefined, now),
});

const taskIn = ({ list }: RunStanding, id: string): Task => findTask(list, id) as Task;

const split = (at: RunStanding, id: string, ...titles: string[]): Change =>
  planSplit(at, taskIn(at, id), titles, "too large");

const add = (
  at: RunStanding,
  where: InsertPosition,
  id: string,
  title = "More",
  verify?: string,
): Change =>
  planAddition(
    at,
    taskIn(at, id),
    where,
    { title, fields: new Map(verify === undefined ? [] : [["Verify", verify]]) },
    "it is missing",
  );

const changed = (change: Change): Extract<Change, { kind: "changed" }> => {
  expect(change.kind, JSON.stringify(change)).toBe("changed");
  return change as Extract<Change, { kind: "changed" }>;
};

function after(at: RunStanding, change: Change): RunStanding {
  const { list, write } = changed(change);
  return { ...at, list, state: { ...at.state, ...(write.state as State) }, loop: write.loop };
}

/** The order in which tasks are handed out if each is done at once. */
function order({ list }: RunStanding): string[] {
  const ids: string[] = [];
  for (let at = list; ;) {
    const [due] = locate(at).current;
    if (due === undefined) return ids;
    ids.push(due.id);
    at = parseTasks(setChecked(at, due, true));
  }
}

describe("a split", () => {
  it("puts the parts after the task, which comes last and says so", () => {
    const at = standing();
    const { tasks, write, ids } = changed(split(at, "1.1", "the parser", "its tests"));
    expect(ids).toEqual(["1.1.1", "1.1.2"]);
    expect(tasks).toBe(`- [ ] 1.1 First
  > Split into 1.1.1, 1.1.2: this task comes last and checks that together they do what it says.
  - **Do**: all of it
  - **Files**: src/a.ts
  - **Verify**: \`npm test\`
  - **Commit**: \`feat(api): first\`
- [ ] 1.1.1 [PART 1.1] the parser
  - **Do**: only this part of 1.1; tasks.md says what 1.1 asks for
  - **Files**: src/a.ts
  - **Commit**: \`feat(api): the parser\`
- [ ] 1.1.2 [PART 1.1] its tests
  - **Do**: only this part of 1.1; tasks.md says what 1.1 asks for
  - **Files**: src/a.ts
  - **Commit**: \`feat(api): its tests\`
- [ ] 1.2 Second
`);
    expect(write).toMatchObject({
      event: "split",
      task: "1.1",
      note: "1.1.1, 1.1.2: the parser | its tests",
      state: {
        totalTasks: 4,
        taskIndex: 1,
        modificationMap: {
          "1.1": {
            count: 1,
            modifications: [
              { id: "1.1.1", type: "SPLIT_TASK", reason: "too large" },
              { id: "1.1.2", type: "SPLIT_TASK", reason: "too large" },
            ],
          },
        },
      },
    });
    expect(order(after(at, split(at, "1.1", "a", "b")))).toEqual(["1.1.1", "1.1.2", "1.1", "1.2"]);
  });

  it.each([
    "- [ ] 1.1 as in the year\n  10. [ ] 1.5 of it\n- [ ] 1.2 b\n",
    "- [ ] 1.1 a\n\t\t- odd\n\t2) [ ] 1.5 c\n- [ ] 1.2 b\n",
  ])("makes no task of a number inside a title: %j", (text) => {
    const at = standing(text);
    expect(at.list.tasks.map(({ id }) => id)).toEqual(["1.1", "1.2"]);
    const { list } = after(at, split(at, "1.1", "a", "b"));
    expect(list.tasks.map(({ id }) => id)).toEqual(["1.1", "1.1.1", "1.1.2", "1.2"]);
  });

  it("reported again changes nothing, even after a crash that lost the state", () => {
    const { list } = after(standing(), split(standing(), "1.1", "a", "b"));
    expect(split({ ...standing(), list }, "1.1", "a", "b")).toMatchObject({
      kind: "already",
      ids: ["1.1.1", "1.1.2"],
    });
  });

  it("nests twice", () => {
    let at = standing();
    at = after(at, split(at, "1.1", "a", "b"));
    at = after(at, split(at, "1.1.1", "c", "d"));
    expect(order(at)).toEqual(["1.1.1.1", "1.1.1.2", "1.1.1", "1.1.2", "1.1", "1.2"]);
    expect(split(at, "1.1.1.1", "e", "f")).toMatchObject({
      kind: "refused",
      why: expect.stringMatching(/1\.1\.1\.1 comes from a change of a change/) as string,
    });
    expect(split({ ...at, state: {} }, "1.1.1.1", "e", "f").kind).toBe("refused");
  });

  it.each<[what: string, text: string, id: string, state: State, says: RegExp]>([
    ["a ticked task", "- [x] 1.1 a\n", "1.1", {}, /1\.1 is ticked/],
    ["a box without an id", "- [ ] work\n", "#1", {}, /give it one in tasks\.md/],
    [
      "a fourth time",
      TASKS,
      "1.1",
      { modificationMap: { "1.1": { count: 3 } } },
      /changed 3 times/,
    ],
    [
      "a fourth time, where the state raises the limit",
      TASKS,
      "1.1",
      { modificationMap: { "1.1": { count: 3 } }, maxModificationsPerTask: 99 },
      /changed 3 times/,
    ],
    [
      "the part of a part, where the state lets them nest",
      "- [ ] 1.1 a\n- [ ] 1.1.1 [PART 1.1] b\n- [ ] 1.1.1.1 [PART 1.1.1] c\n",
      "1.1.1.1",
      { maxModificationDepth: 99 },
      /nest no deeper than 2/,
    ],
    ["where it is switched off", TASKS, "1.1", { maxModificationsPerTask: 0 }, /changed 0 times/],
  ])("is refused for %s", (_, text, id, state, says) => {
    const change = split(standing(text, state), id, "a", "b");
    expect(change).toMatchObject({ kind: "refused", why: expect.stringMatching(says) as string });
  });

  it("survives a record that makes no sense", () => {
    const at = standing(TASKS, { modificationMap: { "1.1": { count: "x", modifications: 7 } } });
    expect(changed(split(at, "1.1", "a", "b")).write.state).toMatchObject({
      modificationMap: { "1.1": { count: 1 } },
    });
  });

  it("in a parallel group lets the others continue", () => {
    const at = standing("- [ ] 1.1 [P] a\n- [ ] 1.2 [P] b\n- [ ] 1.3 [P] c\n");
    const { list } = after(at, split(at, "1.2", "x", "y"));
    expect(locate(list).current.map((task) => task.id)).toEqual(["1.1", "1.2.1", "1.3"]);
  });
});

describe("an addition", () => {
  it("before a task is handed out before it, and the count of attempts stays with the task", () => {
    const at = standing(TASKS, { taskIndex: 0, taskIteration: 3 });
    const change = changed(add(at, "before", "1.1", "Prepare", "`make ready`"));
    expect(change.tasks).toBe(`- [ ] 1.1.1 Prepare\n  - **Verify**: \`make ready\`\n${TASKS}`);
    expect(change.write).toMatchObject({
      event: "added",
      task: "1.1",
      note: "1.1.1: before: Prepare",
      state: {
        totalTasks: 3,
        taskIndex: 0,
        taskIteration: 1,
        modificationMap: {
          "1.1": {
            modifications: [{ id: "1.1.1", type: "ADD_PREREQUISITE", reason: "it is missing" }],
          },
        },
      },
    });
    expect(order(after(at, change))).toEqual(["1.1.1", "1.1", "1.2"]);
  });

  it("after a task follows it, a ticked one too", () => {
    const at = standing(TASKS.replace("[ ] 1.1", "[x] 1.1"));
    const change = changed(add(at, "after", "1.1"));
    expect(change.write.state).toMatchObject({
      modificationMap: { "1.1": { modifications: [{ type: "ADD_FOLLOWUP" }] } },
    });
    expect(order(after(at, change))).toEqual(["1.1.1", "1.2"]);
    expect(add(at, "before", "1.1")).toMatchObject({ kind: "refused" });
  });

  it.each<InsertPosition>(["before", "after"])("%s, reported again, changes nothing", (where) => {
    const { list } = after(standing(), add(standing(), where, "1.1"));
    expect(add({ ...standing(), list }, where, "1.1")).toMatchObject({
      kind: "already",
      ids: ["1.1.1"],
    });
  });

  it.each<[id: string, where: InsertPosition, expected: string[]]>([
    ["1.1.1", "before", ["1.1.1.1", "1.1.1", "1.1.2", "1.1", "1.2"]],
    ["1.1.1", "after", ["1.1.1", "1.1.1.1", "1.1.2", "1.1", "1.2"]],
    ["1.1.2", "before", ["1.1.1", "1.1.2.1", "1.1.2", "1.1", "1.2"]],
  ])("next to %s, which is out of order, still comes %s it", (id, where, expected) => {
    const text = "- [ ] 1.1 a\n- [ ] 1.1.1 [FIX 1.1] f\n- [ ] 1.1.2 [PART 1.1] p\n- [ ] 1.2 b\n";
    const at = standing(text);
    expect(order(after(at, add(at, where, id)))).toEqual(expected);
  });

  it("nests twice, as the state says", () => {
    let at = standing();
    at = after(at, add(at, "after", "1.1", "a"));
    at = after(at, add(at, "after", "1.1.1", "b"));
    expect(add(at, "after", "1.1.1.1", "c")).toMatchObject({ kind: "refused" });
  });

  it("among boxes without an id is one of them, and all share one count", () => {
    let at = standing("- [ ] one\n- [ ] two\n");
    at = { ...at, loop: { ...at.loop, attempts: { "#1": 2, "#2": 3 } } };
    at = after(at, add(at, "before", "#2", "between"));
    expect(at.list.tasks.map((task) => `${task.id} ${task.title}`)).toEqual([
      "#1 one",
      "#2 between",
      "#3 two",
    ]);
    expect(at.loop.attempts).toEqual({ "#1": 2, "#3": 3 });
    for (const title of ["a", "b"]) at = after(at, add(at, "before", "#1", title));
    expect(add(at, "before", "#1", "c")).toMatchObject({
      kind: "refused",
      why: expect.stringMatching(/tasks without an id have been changed 3 times/) as string,
    });
  });

  it("is refused if the file has no place for it", () => {
    const used = "abcdefghijklmnopqrstuvwxyz".split("").map((letter) => `- [ ] T001${letter} x\n`);
    expect(add(standing(`- [ ] T001 y\n${used.join("")}`), "after", "T001").kind).toBe("refused");
  });

  it("is refused after a fence that never ends, where it would not be a task", () => {
    const at = standing("- [ ] 1.1 a\n```\nopen\n");
    expect(add(at, "after", "1.1")).toMatchObject({
      kind: "refused",
      why: "tasks.md has no place for a task next to 1.1 (line 1)",
    });
    expect(order(after(at, add(at, "before", "1.1")))).toEqual(["1.1.1", "1.1"]);
    expect(order(after(at, split(at, "1.1", "a", "b")))).toEqual(["1.1.1", "1.1.2", "1.1"]);
  });
});
