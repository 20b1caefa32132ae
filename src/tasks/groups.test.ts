import { describe, expect, it } from "vitest";
import { GROUP_LIMIT, groupOf } from "./groups.ts";
import { parseTasks } from "./parse.ts";
import { isParallel } from "./tags.ts";

/** The group of each task, as ids: what would be handed out if it were the next. */
const groups = (text: string): string[] => {
  const list = parseTasks(text);
  return list.tasks.map((task) =>
    groupOf(list, task)
      .map(({ id }) => id)
      .join("+"),
  );
};

const tasks = (...lines: string[]): string => lines.map((line) => `- [ ] ${line}`).join("\n");

it.each<[line: string, parallel: boolean]>([
  ["1.1 [P] a", true],
  ["1.1 [p] a", true],
  ["T001 [P] [US1] a", true],
  ["[P] a", true],
  ["1.1 a", false],
  ["1.1 a [P]", false],
  ["1.1 [P1] a", false],
  ["1.1 [P] [VERIFY] a", false],
])("%j may run in parallel: %j", (line, parallel) => {
  expect(parseTasks(tasks(line)).tasks.map(isParallel)).toEqual([parallel]);
});

describe("groupOf", () => {
  it.each<[why: string, text: string, groups: string[]]>([
    ["one task", tasks("1.1 a", "1.2 b"), ["1.1", "1.2"]],
    ["one task with a tag", tasks("1.1 [P] a", "1.2 b"), ["1.1", "1.2"]],
    ["neighbours", tasks("1.1 [P] a", "1.2 [P] b", "1.3 c"), ["1.1+1.2", "1.1+1.2", "1.3"]],
    ["not over a task in between", tasks("1.1 [P] a", "1.2 b", "1.3 [P] c"), ["1.1", "1.2", "1.3"]],
    ["not over a wall", tasks("1.1 [P] a", "1.2 [VERIFY] b", "1.3 [P] c"), ["1.1", "1.2", "1.3"]],
    ["not with a wall", tasks("1.1 [P] a", "1.2 [P] [VERIFY] b"), ["1.1", "1.2"]],
    ["not over phases", `${tasks("1.1 [P] a")}\n# B\n${tasks("2.1 [P] b")}`, ["1.1", "2.1"]],
    ["over text", "- [ ] 1.1 [P] a\n\nand\n\n- [ ] 1.2 [P] b", ["1.1+1.2", "1.1+1.2"]],
    ["Spec Kit", tasks("T1 [P] in a/b.ts", "T2 [P] in a/c.ts"), ["T1+T2", "T1+T2"]],
    [
      "no shared file in titles",
      tasks("T1 [P] in a/b.ts", "T2 [P] in `./a/b.ts`", "T3 [P] in a/c.ts"),
      ["T1", "T2+T3", "T2+T3"],
    ],
    [
      "no shared file in fields",
      tasks(
        "1.1 [P] a\n  - **Files**: `x`, `y`",
        "1.2 [P] b\n  - **Files**: z, y.ts",
        "1.3 [P] c\n  - **Files**: `y`",
      ),
      ["1.1+1.2", "1.1+1.2", "1.3"],
    ],
    [
      "a file of any member",
      tasks("1.1 [P] in a.ts", "1.2 [P] in b.ts", "1.3 [P] in a.ts", "1.4 [P] in b.ts"),
      ["1.1+1.2", "1.1+1.2", "1.3+1.4", "1.3+1.4"],
    ],
  ])("%s", (_, text, expected) => {
    expect(groups(text)).toEqual(expected);
  });

  it("hands out no more than the limit, and the rest after it", () => {
    const text = tasks(...Array.from({ length: GROUP_LIMIT + 2 }, (_, i) => `1.${i + 1} [P] a`));
    const first = "1.1+1.2+1.3+1.4+1.5";
    expect(GROUP_LIMIT).toBe(5);
    expect(groups(text)).toEqual([first, first, first, first, first, "1.6+1.7", "1.6+1.7"]);
  });

  it("does not grow as its members are done", () => {
    const text = tasks(...Array.from({ length: 7 }, (_, i) => `1.${i + 1} [P] a`));
    const done = text.replace("[ ] 1.1", "[x] 1.1").replace("[ ] 1.3", "[x] 1.3");
    expect(groups(done)).toEqual(groups(text));
  });
});

it("parts a task from a neighbour that it says it depends on", () => {
  const list = parseTasks(
    "- [ ] 1.1 [P] a\n- [ ] 1.2 [P] b\n  - **Depends**: 1.1\n- [ ] 1.3 [P] c\n",
  );
  const ids = list.tasks.map((task) => groupOf(list, task).map(({ id }) => id));
  expect(ids).toEqual([["1.1"], ["1.2", "1.3"], ["1.2", "1.3"]]);
});
