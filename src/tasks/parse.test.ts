import { describe, expect, it } from "vitest";
import { parseTasks } from "./parse.ts";

const ids = (text: string): string[] => parseTasks(text).tasks.map((task) => task.id);

describe("the lines of a task", () => {
  it.each<[why: string, text: string, lines: [line: number, endLine: number][]]>([
    ["one", "- [ ] 1.1", [[1, 1]]],
    [
      "fields",
      "- [ ] 1.1\n  - **Do**: a\n    1. b\n  - **Files**: c\n- [ ] 1.2",
      [
        [1, 4],
        [5, 5],
      ],
    ],
    [
      "no blank lines behind",
      "- [ ] 1.1\n  a\n\n  \n\t\n- [ ] 1.2\n\n",
      [
        [1, 2],
        [6, 6],
      ],
    ],
    [
      "blank lines within",
      "- [ ] 1.1\n\n  a\n\n\n  b\n\n- [ ] 1.2",
      [
        [1, 6],
        [8, 8],
      ],
    ],
    ["no line ending", "- [ ] 1.1\r\n  a", [[1, 2]]],
    [
      "a note",
      "- [ ] 1.1\n  > Unblocks: 1.2\n- [ ] 1.2",
      [
        [1, 2],
        [3, 3],
      ],
    ],
    [
      "a note at the margin",
      "- [ ] 1.1\n> Unblocks: 1.2\n- [ ] 1.2",
      [
        [1, 2],
        [3, 3],
      ],
    ],
    ["text that goes on", "- [ ] 1.1\nand on\nand on\n\nbut not here", [[1, 3]]],
    ["a fence in it", "- [ ] 1.1\n  ```\n  a\n\n  b\n  ```\n\ntext", [[1, 6]]],
    ["a fence right below", "- [ ] 1.1\n```\na\n\nb\n```\n\ntext", [[1, 6]]],
    ["no fence further down", "- [ ] 1.1\n\n```\na\n```", [[1, 1]]],
    ["an unclosed fence without its blank lines", "- [ ] 1.1\n  ```\n  a\n\n\n", [[1, 3]]],
    ["indented code", "- [ ] 1.1\n\n      code\n\ntext", [[1, 3]]],
    ["text one column in", "- [ ] 1.1\n\n **Do**: a\n\ntext", [[1, 3]]],
    ["no list beside it", "- [ ] 1.1\n- plain\n  more", [[1, 1]]],
    ["no heading", "- [ ] 1.1\n# Phase", [[1, 1]]],
    ["a heading in it", "- [ ] 1.1\n  # Notes\n  a", [[1, 3]]],
    ["no line of dashes", "- [ ] 1.1\n---\na", [[1, 1]]],
    ["steps", "- [ ] 1.1\n  - [ ] a\n  - [ ] b\n", [[1, 3]]],
    [
      "not those of a sub-task",
      "- [ ] 1. a\n  b\n  - [ ] 1.1 c\n    d\n- [ ] 2. e",
      [
        [1, 2],
        [3, 4],
        [5, 5],
      ],
    ],
    [
      "not what follows sub-tasks",
      "- [ ] 1. a\n  - [ ] 1.1 b\n  - _Requirements: 1_",
      [
        [1, 1],
        [2, 2],
      ],
    ],
    [
      "what a command quotes in a step",
      "- [ ] 1.1 a\n  - **Do**:\n    1. `gh pr create --body \"$(cat <<'EOF'\n## Plan\n\n- [ ] b\n- [x] c\nEOF\n)\"`\n  - **Verify**: d\n- [ ] 1.2 e",
      [
        [1, 10],
        [11, 11],
      ],
    ],
    [
      "what a command quotes in an indented fence",
      "- [ ] 1.1 a\n  ```bash\n  cat > b <<EOF\n# B\n- [ ] c\nEOF\n  ```\n  - **Verify**: d\n- [ ] 1.2 e",
      [
        [1, 8],
        [9, 9],
      ],
    ],
    [
      "what a command quotes in an indented fence and in a call",
      '- [ ] 1.1 a\n  ```\n  gh --body "$(cat <<EOF\n- [ ] c\nEOF\n)"\n  ```\n\n- [ ] 1.2 e\n- [ ] f',
      [
        [1, 7],
        [9, 9],
        [10, 10],
      ],
    ],
    [
      "no task after an unclosed here-document",
      "- [ ] 1.1 a\n  cat <<EOF\n- [ ] 1.2 b\n- [ ] c\nEOF",
      [
        [1, 2],
        [3, 3],
        [4, 5],
      ],
    ],
    [
      "a box without a space after its bullet",
      "- [x] 1.1 a\n  - **Do**: b\n-[x] 1.2 c\n  - **Do**: d\n\n-[ ] 1.3 e\n- [ ] 1.4 f",
      [
        [1, 2],
        [3, 4],
        [6, 6],
        [7, 7],
      ],
    ],
    [
      "tabs",
      "-\t[ ] 1.1\n\t- a\n\t\tb\n-\t[ ] 1.2",
      [
        [1, 3],
        [4, 4],
      ],
    ],
  ])("%s: %j", (_, text, expected) => {
    expect(parseTasks(text).tasks.map(({ line, endLine }) => [line, endLine])).toEqual(expected);
  });
});

describe("phases", () => {
  it.each<[text: string, phases: [title: string, line: number][]]>([
    [
      "# Tasks\n\n## Phase 1: Setup",
      [
        ["Tasks", 1],
        ["Phase 1: Setup", 3],
      ],
    ],
    ["\uFEFF# Tasks\r\n", [["Tasks", 1]]],
    ["   ### Three columns in", [["Three columns in", 1]]],
    ["## Closed ##", [["Closed", 1]]],
    ["## In C#", [["In C#", 1]]],
    ["##\tTab\t", [["Tab", 1]]],
    ["##", [["", 1]]],
    ["## ##", [["", 1]]],
    [
      "Phase 1\n=======\n\nPhase 2\n---",
      [
        ["Phase 1", 1],
        ["Phase 2", 4],
      ],
    ],
    ["#Tag", []],
    ["####### Seven", []],
    ["    # Code", []],
    ["```\n# Code\n```", []],
    ["<!--\n# Hidden\n-->", []],
    ["- a\n  # In an item", []],
    ["> # Quoted", []],
    ["- a\n---", []],
    ["- [ ] 1.1 a\n  <<EOF\n# Quoted\nEOF\n", []],
  ])("of %j are %j", (text, expected) => {
    expect(parseTasks(text).phases.map(({ title, line }) => [title, line])).toEqual(expected);
  });

  it("hold the tasks below them", () => {
    const text = "- [ ] 1 a\n# A\n- [ ] b\n- [ ] c\n## B\n\n## C\n- [ ] d\n";
    expect(parseTasks(text).tasks.map((task) => task.phase)).toEqual([-1, 0, 0, 2]);
  });
});

describe("front matter", () => {
  it.each<[why: string, text: string, ids: string[]]>([
    ["is skipped", "---\nname: a\nlist:\n  - [ ] 9.9\n# comment\n---\n- [ ] 1.1", ["1.1"]],
    ["may begin with a blank line", "---\n\nlist:\n  - [ ] 9.9\n---\n- [ ] 1.1", ["1.1"]],
    ["may end with dots", "---\nname: a\n...\n- [ ] 1.1", ["1.1"]],
    ["stands behind a byte order mark", "\uFEFF---\r\nname: a\r\n---\r\n- [ ] 1.1", ["1.1"]],
    ["has to end", "---\nname: a\n\n- [ ] 1.1", ["1.1"]],
    ["has to begin with a key", "---\n\n# Tasks\n- [ ] 1.1\n\n---\n- [ ] 1.2", ["1.1", "1.2"]],
    ["has no boxes", "---\nNote: a\n\n- [ ] 1.1\n\n---\n- [ ] 1.2", ["1.1", "1.2"]],
    ["stands on top", "# Tasks\n---\nname: a\n- [ ] 1.1\n---", ["1.1"]],
  ])("%s: %j", (_, text, expected) => {
    expect(ids(text)).toEqual(expected);
  });

  it("counts as lines and starts no phases", () => {
    const { tasks, phases } = parseTasks("---\nname: a\n---\n# A\n- [ ] b");
    expect(tasks).toMatchObject([{ line: 5, phase: 0 }]);
    expect(phases).toEqual([{ title: "A", line: 4 }]);
  });
});

it("keeps each line with its ending", () => {
  expect(parseTasks("a\r\n\nb\rc\n- [ ] d").lines).toEqual(["a\r\n", "\n", "b\rc\n", "- [ ] d"]);
  expect(parseTasks("").lines).toEqual([]);
});
