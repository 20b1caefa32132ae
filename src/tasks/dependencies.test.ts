import { describe, expect, it } from "vitest";
import { parseDependencies } from "./dependencies.ts";
import { parseTasks } from "./parse.ts";

/** "1.3 < 1.2@5": 1.3 waits for 1.2, as said on line 5. */
function edges(text: string): string[] {
  const list = parseTasks(text);
  const id = (index: number): string | undefined => list.tasks[index]?.id;
  return parseDependencies(list).all.map(
    ({ task, on, kind, line, file }) =>
      `${id(task)} < ${id(on)}@${line}${kind === "stated" ? "" : ` ${file ?? kind}`}`,
  );
}

/** Three tasks, the third one with more text. */
const third = (text: string): string => `- [ ] 1.1 a\n- [ ] 1.2 b\n- [ ] 1.3 c\n  ${text}\n`;

describe("words", () => {
  it.each([
    ["- depends on 1.2", "1.3 < 1.2@4"],
    ["- Depends on 1.1 and 1.2.", "1.3 < 1.1@4", "1.3 < 1.2@4"],
    ["- depends on tasks 1.1, 1.2", "1.3 < 1.1@4", "1.3 < 1.2@4"],
    ["- (depends upon 1.2)", "1.3 < 1.2@4"],
    ["- depends on 1.2 being merged", "1.3 < 1.2@4"],
    ["- depends on **1.2**", "1.3 < 1.2@4"],
    ["- depends on `1.2`", "1.3 < 1.2@4"],
    ["- depends on [1.2]", "1.3 < 1.2@4"],
    ["- depends on 1.1-1.2", "1.3 < 1.1@4", "1.3 < 1.2@4"],
    ["- depends on 1.1 through 1.2", "1.3 < 1.1@4", "1.3 < 1.2@4"],
    ["- blocked by 1.1", "1.3 < 1.1@4"],
    ["- **Depends**: 1.1, 1.2", "1.3 < 1.1@4", "1.3 < 1.2@4"],
    ["**Depends on:** 1.2 (for the types), 1.1", "1.3 < 1.2@4", "1.3 < 1.1@4"],
    ["- **Dependencies**: 1.2", "1.3 < 1.2@4"],
    ["_Depends: 1.1, 1.2_", "1.3 < 1.1@4", "1.3 < 1.2@4"],
    ["- _Depends on: 1.2_", "1.3 < 1.2@4"],
    ["- **Depends**:\n    - 1.1\n    - 1.2 (why)", "1.3 < 1.1@5", "1.3 < 1.2@6"],
    ["> Unblocks: 1.1 (testing), 1.2 (depend on 1.1 working)", "1.1 < 1.3@4", "1.2 < 1.3@4"],
    ["> **Unblocks**: 1.2", "1.2 < 1.3@4"],
    ["- this unblocks 1.2", "1.2 < 1.3@4"],
    ["- after 1.2", "1.3 < 1.2@4"],
    ["- runs after task 1.2 in CI", "1.3 < 1.2@4"],
    ["- after 1.2 is done", "1.3 < 1.2@4"],
    ["- after 1.1 and 1.2", "1.3 < 1.1@4", "1.3 < 1.2@4"],
    ["- 1.2 depends on 1.1", "1.2 < 1.1@4"],
    ["- 1.1 and 1.2 depend on 1.3", "1.1 < 1.3@4", "1.2 < 1.3@4"],
    ["- 1.1/1.2 depend on 1.3", "1.1 < 1.3@4", "1.2 < 1.3@4"],
    ["- 1.2 depends on 1.1, and 1.3 depends on 1.2", "1.2 < 1.1@4", "1.3 < 1.2@4"],
    ["- 1.2 depends on 1.1 and 1.3 is blocked by 1.2", "1.2 < 1.1@4", "1.3 < 1.2@4"],
    ["- step 2 depends on 1.1", "1.3 < 1.1@4"],
    // Said twice is said once.
    ["- depends on 1.1, and again depends on 1.1", "1.3 < 1.1@4"],
  ])("%j", (text, ...expected) => {
    expect(edges(third(text))).toEqual(expected);
  });

  it.each([
    "- does not depend on 1.2",
    "- doesn't depend on 1.2",
    "- no longer depends on 1.2",
    "- depends on the parser",
    "- depends on 1.20",
    "- depends on 1.2.0",
    "- depends on 1.2.0a",
    "- depends on v1.2",
    "- depends on 1.2-rc",
    "- depends on 1.2 seconds of silence",
    "- **Dependencies**: lodash 1.2, zod 1.1",
    "- **Depends**: none",
    "- after 1.2 seconds",
    "- after 1.2s",
    "- after 1.2 came out",
    "- deprecated after v1.2",
    "- `depends on 1.2`",
    "```\n  depends on 1.2\n  ```",
    "<!-- depends on 1.2 -->",
    "_Requirements: 1.1, 1.2_",
    "- independent of 1.2",
    "- blocks the event loop",
    "- see 1.2",
  ])("not: %j", (text) => {
    expect(edges(third(text))).toEqual([]);
  });

  it("knows the ids of Spec Kit, ranges by number, and second names", () => {
    const text = "- [ ] T001 a\n- [ ] T003 b\n- [ ] T004 c (depends on T001-T003; data-model.md)\n";
    expect(edges(text)).toEqual(["T004 < T001@3", "T004 < T003@3"]);
    expect(edges("- [ ] 4.1 V4 [VERIFY] CI\n- [ ] 4.2 b, depends on V4\n")).toEqual([
      "4.2 < 4.1@2",
    ]);
  });

  it("hears what text outside of tasks says, if it names them", () => {
    const text = "- [ ] T001 a\n- [ ] T002 b\n\n**Dependencies**: T001\n\n- T002 depends on T001\n";
    expect(edges(text)).toEqual(["T002 < T001@6"]);
  });

  it("takes a number for an id only if the list has it and nothing is counted", () => {
    const text = "- [ ] 1. a\n- [ ] 2. b, depends on 1\n- [ ] 3. c, depends on 2 other things\n";
    expect(edges(text)).toEqual(["2 < 1@2"]);
  });

  it("an id used twice names nobody", () => {
    expect(edges("- [ ] 1.1 a\n- [ ] 1.1 b\n- [ ] 1.2 depends on 1.1\n")).toEqual([]);
  });
});

it("a task is tried again after its fix", () => {
  expect(edges("- [ ] 1.1 a\n- [ ] 1.1.1 [FIX 1.1] b\n")).toEqual(["1.1 < 1.1.1@2 fix"]);
});

describe("files", () => {
  it("the first to name a file creates it, the others use it", () => {
    const text =
      "- [ ] T001 Create src/a.ts\n- [ ] T002 Use src/a.ts\n- [ ] T003 b\n- [ ] T004 Test src/a.ts\n";
    expect(edges(text)).toEqual(["T002 < T001@2 src/a.ts", "T004 < T001@4 src/a.ts"]);
  });

  it("a file in a step or a command is used, and holds the task; nobody waits more for its maker", () => {
    const text =
      "- [ ] 1.1 a\n  - **Files**: `src/a.ts`\n- [ ] 1.2 b\n  - **Verify**: `node ./src/a.ts`\n";
    expect(edges(text)).toEqual(["1.2 < 1.1@3 src/a.ts"]);
    expect(parseDependencies(parseTasks(text)).dependants.flat()).toEqual([]);
  });

  it("unless its words say that another comes first", () => {
    const text =
      "- [ ] T001 Use src/a.ts, depends on T002\n- [ ] T002 Make src/a.ts\n- [ ] T003 Test src/a.ts\n";
    expect(edges(text)).toEqual(["T001 < T002@1", "T003 < T002@3 src/a.ts"]);
  });

  it("words count more than files across phases, too", () => {
    const text = "- [ ] 1.1 src/a.ts depends on 2.1\n\n## B\n\n- [ ] 2.1 src/a.ts\n";
    expect(edges(text)).toEqual(["1.1 < 2.1@1"]);
  });

  it("says nothing about a task and its own sub-tasks", () => {
    expect(edges("- [ ] 1.1 src/a.ts\n  - [ ] 1.1.1 src/a.ts\n- [ ] 1.2 src/a.ts\n")).toEqual([
      "1.2 < 1.1@3 src/a.ts",
    ]);
  });
});

describe("unknown ids", () => {
  const unknown = (text: string) =>
    parseDependencies(parseTasks(third(text))).unknown.map(({ id, line }) => `${id}@${line}`);

  it.each([
    ["- depends on 1.7", "1.7@4"],
    ["- **Depends**: 1.1, 1.8", "1.8@4"],
    ["> Unblocks: 2.9", "2.9@4"],
    ["- depends on 1.7, 1.1", "1.7@4"],
  ])("%j", (text, expected) => {
    expect(unknown(text)).toEqual([expected]);
  });

  it.each([
    "- depends on 2.0 of the API",
    "- depends on T012",
    "- after 1.7",
    "- **Dependencies**: none (2.0 is out)",
    "- depends on 3",
  ])("not: %j", (text) => {
    expect(unknown(text)).toEqual([]);
  });

  it("a fix of nothing", () => {
    const list = parseTasks("- [ ] 1.1 a\n- [ ] 1.1.1 [FIX 1.9] b\n");
    expect(parseDependencies(list).unknown).toEqual([{ id: "1.9", line: 2 }]);
  });
});

it.each([
  ["- depends on 3.6a", "3.7 < 3.6a@5"],
  ["_Depends: 3.6, 3.6b_", "3.7 < 3.6@5", "3.7 < 3.6b@5"],
  ["- depends on 3.6a-3.6b", "3.7 < 3.6a@5", "3.7 < 3.6b@5"],
  ["- depends on 3.6–3.6a", "3.7 < 3.6@5", "3.7 < 3.6a@5"],
  ["- after 3.6A", "3.7 < 3.6a@5"],
  ["> Unblocks: 3.6b (why)", "3.6b < 3.7@5"],
  ["- 3.6b depends on 3.6a", "3.6b < 3.6a@5"],
  ["- depends on 3.6 alone", "3.7 < 3.6@5"],
  ["- after 3.6s"],
])("ids with letters: %j", (text, ...expected) => {
  const tasks = "- [ ] 3.6 a\n- [ ] 3.6a b\n- [ ] 3.6b c\n- [ ] 3.7 d\n";
  expect(edges(`${tasks}  ${text}\n`)).toEqual(expected);
});

it("[FIX 3.6a] is about 3.6a", () => {
  expect(edges("- [ ] 3.6 a\n- [ ] 3.6a b\n- [ ] 3.6a.1 [FIX 3.6a] c\n")).toEqual([
    "3.6a < 3.6a.1@3 fix",
  ]);
});
