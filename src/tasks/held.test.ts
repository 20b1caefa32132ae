import { describe, expect, it } from "vitest";
import { findHeld } from "./held.ts";
import { parseTasks } from "./parse.ts";
import { locate } from "./position.ts";

const listOf = (...lines: string[]) =>
  parseTasks(lines.map((line) => line.replace(/^( *)([ x]\])/, "$1- [$2")).join("\n"));

const heldBy = (id: string, ...lines: string[]): string[] => [...findHeld(listOf(...lines), [id])];

describe("what waits for a task that waits for the user", () => {
  it.each<[what: string, expected: string[], lines: string[]]>([
    ["itself, and nothing that has nothing to do with it", ["1.1"], [" ] 1.1 a", " ] 1.2 b"]],
    ["what says so", ["1.1", "1.3"], [" ] 1.1 a", " ] 1.2 b", " ] 1.3 c", "  - Depends on: 1.1"]],
    [
      "what waits for that in turn",
      ["1.1", "1.2", "1.3"],
      [" ] 1.1 a", " ] 1.2 b", "  - Depends on: 1.1", " ] 1.3 c", "  - Depends on: 1.2"],
    ],
    [
      "what lists a file that it creates",
      ["1.1", "1.2"],
      [" ] 1.1 a", "  - **Files**: src/a.ts", " ] 1.2 b", "  - **Files**: src/a.ts", " ] 1.3 c"],
    ],
    [
      "what uses such a file",
      ["1.1", "1.2"],
      [
        " ] 1.1 a",
        "  - **Files**: src/a.ts",
        " ] 1.2 b",
        "  - **Verify**: `node src/a.ts`",
        " ] 1.3 c",
      ],
    ],
    [
      "every check after it, and what waits for that check",
      ["1.1", "1.4", "1.5"],
      [
        " ] 1.0 [VERIFY] before",
        " ] 1.1 a",
        " ] 1.2 b",
        " ] 1.4 [VERIFY] v",
        " ] 1.5 c",
        "  - Depends on: 1.4",
      ],
    ],
    ["its own fixes", ["1.1", "1.1.1"], [" ] 1.1 a", " ] 1.1.1 [FIX 1.1] f", " ] 1.2 b"]],
    ["its sub-tasks", ["1.1", "1.1.1"], [" ] 1.1 a", "   ] 1.1.1 sub", " ] 1.2 b"]],
    [
      "nothing behind what is done already",
      ["1.1"],
      [" ] 1.1 a", "x] 1.2 b", "  - Depends on: 1.1", " ] 1.3 c", "  - Depends on: 1.2"],
    ],
    ["an id in any case", ["T001", "T002"], [" ] T001 a", " ] T002 b", "  - depends on t001"]],
  ])("%s", (_, expected, lines) => {
    const id = lines.some((line) => line.includes("T001")) ? "t001" : "1.1";
    expect(heldBy(id, ...lines)).toEqual(expected);
  });

  it("a part holds the whole, not the other parts", () => {
    const lines = [" ] 1.1 a", " ] 1.1.1 [PART 1.1] p", " ] 1.1.2 [PART 1.1] q", " ] 1.2 b"];
    expect(heldBy("1.1.1", ...lines).sort()).toEqual(["1.1", "1.1.1"]);
  });

  it("a sub-task holds the task around it, not its siblings", () => {
    const lines = [" ] 1.1 a", "   ] 1.1.1 sub", "   ] 1.1.2 sub", " ] 1.2 b"];
    expect(heldBy("1.1.1", ...lines).sort()).toEqual(["1.1", "1.1.1"]);
  });

  it("tasks that wait for each other end the search", () => {
    const lines = [" ] 1.1 a", "  - Depends on: 1.2", " ] 1.2 b", "  - Depends on: 1.1"];
    expect(heldBy("1.2", ...lines).sort()).toEqual(["1.1", "1.2"]);
  });

  it("a task that is gone or done holds nothing", () => {
    expect(heldBy("9.9", " ] 1.1 a")).toEqual([]);
    expect(heldBy("1.1", "x] 1.1 a", " ] 1.2 b", "  - Depends on: 1.1")).toEqual(["1.1"]);
  });
});

describe("what comes next beside held tasks", () => {
  const next = (held: string[], ...lines: string[]) => {
    const { current, index, held: waits } = locate({ ...listOf(...lines), held: new Set(held) });
    return { current: current.map(({ id }) => id), index, waits: waits.map(({ id }) => id) };
  };

  it.each<[what: string, held: string[], lines: string[], current: string[], index: number]>([
    ["the first that is free", ["1.1"], [" ] 1.1 a", " ] 1.2 b"], ["1.2"], 1],
    [
      "the rest of a group",
      ["1.1"],
      [" ] 1.1 [P] a", " ] 1.2 [P] b", " ] 1.3 [P] c"],
      ["1.2", "1.3"],
      1,
    ],
    [
      "the fix of a free task",
      ["1.1"],
      [" ] 1.1 a", " ] 1.2 b", " ] 1.2.1 [FIX 1.2] f"],
      ["1.2.1"],
      2,
    ],
    [
      "nothing, where it was, if all wait",
      ["1.2", "1.3"],
      ["x] 1.1 a", " ] 1.2 b", " ] 1.3 c"],
      [],
      1,
    ],
    ["nothing at the end", ["1.1"], ["x] 1.1 a"], [], 1],
    [
      "no fix that waits itself",
      ["1.2", "1.2.1"],
      [" ] 1.2 b", " ] 1.2.1 [FIX 1.2] f", " ] 1.3 c"],
      ["1.3"],
      2,
    ],
  ])("%s", (_, held, lines, current, index) => {
    expect(next(held, ...lines)).toMatchObject({ current, index });
  });
});
