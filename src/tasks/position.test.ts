import { describe, expect, it } from "vitest";
import { parseTasks } from "./parse.ts";
import { locate } from "./position.ts";

/** One task a line; indented lines belong to the one above. */
const due = (...lines: string[]): string[] =>
  locate(
    parseTasks(lines.map((line) => (line.startsWith("  ") ? line : `- [${line}`)).join("\n")),
  ).current.map((task) => task.id);

describe("what comes next", () => {
  it.each<[what: string, expected: string[], lines: string[]]>([
    ["the first open task", ["1.2"], ["x] 1.1 a", " ] 1.2 b", " ] 1.3 c"]],
    ["nothing, once all is ticked", [], ["x] 1.1 a"]],
    ["a fix before its task", ["1.1.1"], [" ] 1.1 a", " ] 1.1.1 [FIX 1.1] f", " ] 1.2 b"]],
    ["the task again once its fix is done", ["1.1"], [" ] 1.1 a", "x] 1.1.1 [FIX 1.1] f"]],
    [
      "the fix of a fix first",
      ["1.1.1.1"],
      [" ] 1.1 a", " ] 1.1.1 [FIX 1.1] f", " ] 1.1.1.1 [FIX 1.1.1] g", " ] 1.2 b"],
    ],
    [
      "the next fix where there are several",
      ["1.1.2"],
      [" ] 1.1 a", "x] 1.1.1 [FIX 1.1] f", " ] 1.1.2 [FIX 1.1] g"],
    ],
    ["a fix that stands far off", ["9.9"], [" ] 1.1 a", " ] 1.2 b", " ] 9.9 [FIX 1.1] f"]],
    ["an early fix in its place", ["9.9"], [" ] 9.9 [FIX 1.2] f", " ] 1.1 a", " ] 1.2 b"]],
    [
      "a fix in its place, if its task is ticked",
      ["1.2"],
      ["x] 1.1 a", " ] 1.2 b", " ] 1.1.1 [FIX 1.1] f"],
    ],
    ["a fix in its place, if its task is gone", ["1.2"], [" ] 1.2 b", " ] 1.1.1 [FIX 1.1] f"]],
    ["ids whatever their case", ["T001b"], [" ] T001a a", " ] T001b [FIX t001A] f"]],
    [
      "parts in their order",
      ["1.1.1"],
      [" ] 1.1 a", " ] 1.1.1 [PART 1.1] p", " ] 1.1.2 [PART 1.1] q"],
    ],
    ["the whole after its parts", ["1.1"], [" ] 1.1 a", "x] 1.1.1 [PART 1.1] p", " ] 1.2 b"]],
    [
      "the fix of a part",
      ["1.1.1.1"],
      [" ] 1.1 a", " ] 1.1.1 [PART 1.1] p", " ] 1.1.1.1 [FIX 1.1.1] f"],
    ],
    ["something, where two fix one another", ["1.2"], [" ] 1.1 [FIX 1.2] a", " ] 1.2 [FIX 1.1] b"]],
    ["a box by its place, whoever names it", ["#1"], [" ] a", " ] 1.1 [FIX #1] f", " ] 1. b"]],
    [
      "what stands outside of such a ring",
      ["1.3"],
      [" ] 1.1 [FIX 1.2] a", " ] 1.2 [FIX 1.1] b", " ] 1.3 [FIX 1.2] c"],
    ],
    ["a task that fixes itself", ["1.1"], [" ] 1.1 [FIX 1.1] a", " ] 1.2 b"]],
    ["the second of two with one id", ["1.1"], ["x] 1.1 a", " ] 1.1 b", " ] 1.2 [FIX 9] c"]],
  ])("%s", (_, expected, lines) => {
    expect(due(...lines)).toEqual(expected);
  });

  it("gives the index of what comes next, not of what waits", () => {
    const list = parseTasks("- [ ] 1.1 a\n- [ ] 1.1.1 [FIX 1.1] f\n");
    expect(locate(list)).toMatchObject({ index: 1, total: 2 });
    expect(locate(list).open).toHaveLength(2);
  });
});

describe("a parallel group with a fix in it", () => {
  const files = (name: string): string => `  - **Files**: src/${name}.ts`;

  it("continues: the fix takes its member's place", () => {
    const lines = [" ] 1.1 [P] a", files("a"), " ] 1.1.1 [FIX 1.1] f", files("a")];
    expect(due(...lines, " ] 1.2 [P] b", "x] 1.3 [P] c", " ] 1.4 d")).toEqual(["1.1.1", "1.2"]);
  });

  it("gets its member back, and the rest need not wait", () => {
    const lines = [" ] 1.1 [P] a", files("a"), "x] 1.1.1 [FIX 1.1] f", files("a")];
    expect(due(...lines, " ] 1.2 [P] b", " ] 1.2.1 [FIX 1.2] g")).toEqual(["1.1", "1.2.1"]);
  });

  it("does not take in more members for it", () => {
    const member = (n: number): string => `${n < 5 ? "x" : " "}] 1.${n} [P] m`;
    const group = [1, 2, 3, 4, 5].map(member);
    expect(due(...group, " ] 1.5.1 [FIX 1.5] f", " ] 1.6 [P] g")).toEqual(["1.5.1"]);
  });

  it("keeps back a fix that would touch another member's file", () => {
    const lines = [" ] 1.1 [P] a", files("a"), " ] 1.2 [P] b", files("b")];
    expect(due(...lines, " ] 1.2.1 [FIX 1.2] f", files("a"))).toEqual(["1.1"]);
  });

  it("hands out a fix for two members once", () => {
    expect(due(" ] 1.1 [P] a", " ] 1.2 [P] b", " ] 1.3 [FIX 1.1, 1.2] f")).toEqual(["1.3"]);
  });

  it("ends at a fix that has a place of its own", () => {
    expect(
      due(
        " ] 1.1 [P] a",
        "x] 1.2 [P] b",
        " ] 1.2.1 [FIX 1.2] f",
        " ] 1.1.1 [FIX 1.1] g",
        " ] 1.3 [P] c",
      ),
    ).toEqual(["1.1.1"]);
  });
});

it("costs no more than a walk along the tasks", () => {
  // Anything worse than that runs into the time limit of the test.
  const many = Array.from(
    { length: 100_000 },
    (_, i) => `- [ ] 1.${i} t\n- [ ] 2.${i} [FIX ${i === 0 ? "1.0" : `2.${i - 1}`}] f\n`,
  );
  const list = parseTasks(many.join(""));
  expect(locate(list).current.map((task) => task.id)).toEqual(["2.99999"]);
});
