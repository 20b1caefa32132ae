import { describe, expect, it } from "vitest";
import { parseTasks } from "./parse.ts";

const ids = (text: string): string[] => parseTasks(text).tasks.map((task) => task.id);

describe("the line of a task", () => {
  it.each<[line: string, id: string, tags: string[], title: string]>([
    ["- [ ] 1.2 Write it", "1.2", [], "Write it"],
    ["- [ ] 1.2 [P] Write it", "1.2", ["P"], "Write it"],
    ["- [ ] 1.2 [RED] [P] Write it", "1.2", ["RED", "P"], "Write it"],
    ["- [ ] 1.2 [RED][P]Write it", "1.2", ["RED", "P"], "Write it"],
    ["- [ ] 1.2.1 [FIX 1.2] Repair it", "1.2.1", ["FIX 1.2"], "Repair it"],
    ["- [ ] 1.2.1.1 [fix 1.2.1] Repair it", "1.2.1.1", ["FIX 1.2.1"], "Repair it"],
    ["- [ ] 10.20 [HIGH-VALUE] Write it", "10.20", ["HIGH-VALUE"], "Write it"],
    ["- [ ] 12345.67890 Write it", "12345.67890", [], "Write it"],
    ["- [ ] T012 [P] [US1] Write src/a.ts", "T012", ["P", "US1"], "Write src/a.ts"],
    ["- [ ] T1 x", "T1", [], "x"],
    ["- [ ] T12345 x", "T12345", [], "x"],
    ["- [ ] T012a x", "T012a", [], "x"],
    ["- [ ] T-012 x", "T-012", [], "x"],
    ["- [ ] V4 [VERIFY] Full CI", "V4", ["VERIFY"], "Full CI"],
    ["- [ ] VF [VERIFY] Goal", "VF", ["VERIFY"], "Goal"],
    ["- [ ] VE2 [VERIFY] Check", "VE2", ["VERIFY"], "Check"],
    ["- [ ] 4.1 V4 [VERIFY] Full CI", "4.1", ["VERIFY"], "V4 Full CI"],
    ["- [ ] 4.1 Validate [P] markers", "4.1", [], "Validate [P] markers"],
    // marks around and behind an id
    ["- [ ] 1. Set up", "1", [], "Set up"],
    ["- [ ] 1) Set up", "1", [], "Set up"],
    ["- [ ] 1: Set up", "1", [], "Set up"],
    ["- [ ] 1.2. Set up", "1.2", [], "Set up"],
    ["- [ ] 1.2: [P] Set up", "1.2", ["P"], "Set up"],
    ["- [ ] 1.2 - Set up", "1.2", [], "Set up"],
    ["- [ ] 1.2 — [P] Set up", "1.2", ["P"], "Set up"],
    ["- [ ] 1.2 -v prints the version", "1.2", [], "-v prints the version"],
    ["- [ ] **1.2** Set up", "1.2", [], "Set up"],
    ["- [ ] **1.2 Set up**", "1.2", [], "Set up"],
    ["- [ ] **1.2**: Set up", "1.2", [], "Set up"],
    ["- [ ] **1.2: Set up**", "1.2", [], "Set up"],
    ["- [ ] **1.2:** Set up", "1.2", [], "Set up"],
    ["- [ ] **1.2 Set up** and **run**", "1.2", [], "Set up and **run**"],
    ["- [ ] **1.2 Set up", "1.2", [], "Set up"],
    ["- [ ] **1** Set up", "1", [], "Set up"],
    ["- [ ] __T012__ [P] Set up", "T012", ["P"], "Set up"],
    ["- [ ] ~~1.2 Set up~~", "1.2", [], "Set up"],
    ["- [ ] `T012` `[US1]` Set up", "T012", ["US1"], "Set up"],
    ["- [ ] [T012] [P] Set up", "T012", ["P"], "Set up"],
    ["- [ ] [1.2] Set up", "1.2", [], "Set up"],
    ["- [ ] [P] T012 [US1] Set up", "T012", ["P", "US1"], "Set up"],
    ["- [ ] T012 **[P]** Set up", "T012", ["P"], "Set up"],
    ["- [ ] T012[P] Set up", "T012", ["P"], "Set up"],
    ["- [ ] Task 3: Set up", "3", [], "Set up"],
    ["- [ ] Task 3 Set up", "3", [], "Set up"],
    ["- [ ] **Task 1.2**: Set up", "1.2", [], "Set up"],
    // without a title
    ["- [ ] 1.2", "1.2", [], ""],
    ["- [ ] 1.2 [P]", "1.2", ["P"], ""],
    ["- [ ] **1.2**", "1.2", [], ""],
    ["- [ ] [P]", "#1", ["P"], ""],
    // without an id
    ["- [ ] Write it", "#1", [], "Write it"],
    ["- [ ] [P] Write it", "#1", ["P"], "Write it"],
    ["- [ ] **Write** it", "#1", [], "**Write** it"],
    ["- [ ] 3 retries", "#1", [], "3 retries"],
    ["- [ ] 1.2.0-rc is out", "#1", [], "1.2.0-rc is out"],
    ["- [ ] 1.5x faster", "#1", [], "1.5x faster"],
    ["- [ ] V1.2 is out", "#1", [], "V1.2 is out"],
    ["- [ ] VFX are on", "#1", [], "VFX are on"],
    ["- [ ] T-shirt", "#1", [], "T-shirt"],
    ["- [ ] Tasks 1 and 2", "#1", [], "Tasks 1 and 2"],
    ["- [ ] 10:30 call", "#1", [], "10:30 call"],
    ["- [ ] [1.2](x.md) is a link", "#1", [], "[1.2](x.md) is a link"],
    ["- [ ] [1.2 Set up](x.md)", "#1", [], "[1.2 Set up](x.md)"],
    // brackets that are no tags
    ["- [ ] 1.2 [docs](docs.md) are old", "1.2", [], "[docs](docs.md) are old"],
    ["- [ ] 1.2 [P] [docs](docs.md) are old", "1.2", ["P"], "[docs](docs.md) are old"],
    ["- [ ] 1.2 [^1] note", "1.2", [], "[^1] note"],
    ["- [ ] 1.2 [2026] plan", "1.2", [], "[2026] plan"],
    ["- [ ] 1.2 [open bracket", "1.2", [], "[open bracket"],
    ["- [ ] 1.2 [a[b] c", "1.2", [], "[a[b] c"],
    ["- [ ] 1.2 the [P] marker", "1.2", [], "the [P] marker"],
    // white space and other letters
    ["-\t[ ]\t1.2\t[P]\tWrite it\t", "1.2", ["P"], "Write it"],
    ["- [ ]   1.2   [P]   Write   it   ", "1.2", ["P"], "Write   it"],
    ["- [ ] 1.2 [ P ] [ VERIFY] no tags", "1.2", [], "[ P ] [ VERIFY] no tags"],
    ["- [ ] 1.2 [VERIFY ] a tag", "1.2", ["VERIFY"], "a tag"],
    ["- [ ] 1.2\u00A0Write it", "1.2", [], "Write it"],
    ["- [ ] 1.2 🚀 Größe prüfen", "1.2", [], "🚀 Größe prüfen"],
    ["- [ ] 🚀", "#1", [], "🚀"],
  ])("%j is %s %j %j", (line, id, tags, title) => {
    expect(parseTasks(line).tasks).toEqual([
      { index: 0, id, tags, title, checked: false, line: 1, endLine: 1, phase: -1 },
    ]);
  });

  it.each([
    ["- [x] 1.1 a", true],
    ["- [X] 1.1 a", true],
    ["- [ ] 1.1 a", false],
    ["* [x] 1.1 a", true],
    ["+ [ ] 1.1 a", false],
    ["1. [x] 1.1 a", true],
    ["12) [ ] 1.1 a", false],
    ["   - [x] 1.1 a", true],
    ["\uFEFF- [x] 1.1 a", true],
    ["- [x] 1.1 a\r\n", true],
    ["- [x] 1.1 a\r\r\n", true],
  ])("%j is checked: %j", (line, checked) => {
    expect(parseTasks(line).tasks).toMatchObject([{ id: "1.1", title: "a", checked, line: 1 }]);
  });

  it.each([
    "- [ ]",
    "- [ ] ",
    "- [x]\t",
    "- [ ]1.1 a",
    "-[ ] 1.1 a",
    "- [] 1.1 a",
    "- [  ] 1.1 a",
    "- [ x] 1.1 a",
    "- [-] 1.1 a",
    "- [~] 1.1 a",
    "- [ ]* 1.1 a",
    "- [\u00A0] 1.1 a",
    "- [ ]\u00A01.1 a",
    "-\u00A0[ ] 1.1 a",
    "\u00A0- [ ] 1.1 a",
    "[ ] 1.1 a",
    "• [ ] 1.1 a",
    "1 [ ] 1.1 a",
    "1234567890. [ ] 1.1 a",
    "    - [ ] 1.1 a",
    "\t- [ ] 1.1 a",
    "-     [ ] 1.1 a",
    "- \\[ ] 1.1 a",
    "- `[ ] 1.1 a`",
    "- **[ ] 1.1 a**",
    "> - [ ] 1.1 a",
    "# - [ ] 1.1 a",
    "| - [ ] 1.1 a |",
    "<!-- - [ ] 1.1 a -->",
    "",
  ])("%j is no task", (line) => {
    expect(ids(line)).toEqual([]);
  });
});

describe("a box counts or not", () => {
  it.each<[why: string, text: string, ids: string[]]>([
    ["in a fence", "```\n- [ ] 9.9\n```\n- [ ] 1.1", ["1.1"]],
    ["in a fence with an info string", "```md title\n- [ ] 9.9\n```\n- [ ] 1.1", ["1.1"]],
    ["in tildes", "~~~ a`b\n- [ ] 9.9\n~~~\n- [ ] 1.1", ["1.1"]],
    ["in a fence that tildes do not close", "```\n~~~\n- [ ] 9.9\n```\n- [ ] 1.1", ["1.1"]],
    ["in a longer fence", "````\n```\n- [ ] 9.9\n````\n- [ ] 1.1", ["1.1"]],
    ["in a fence closed by a longer one", "```\n- [ ] 9.9\n`````\n- [ ] 1.1", ["1.1"]],
    ["in a fence that text does not close", "```\n``` js\n- [ ] 9.9\n```\n- [ ] 1.1", ["1.1"]],
    ["in a fence that code does not close", "```\n    ```\n- [ ] 9.9\n```\n- [ ] 1.1", ["1.1"]],
    ["in a fence behind a blank line", "```\n\n- [ ] 9.9\n\n```\n- [ ] 1.1", ["1.1"]],
    ["in a fence that is never closed", "- [ ] 1.1\n\n```\n- [ ] 9.9\n\n# x\n- [ ] 9.8", ["1.1"]],
    ["in a fence behind a bullet", "- ```\n  - [ ] 9.9\n  ```\n- [ ] 1.1", ["1.1"]],
    [
      "behind a fence that its item ends",
      "- [ ] 1.1\n  ```\n  - [ ] 9.9\n\n- [ ] 1.2",
      ["1.1", "1.2"],
    ],
    ["behind a fence that a deep item ends", "- a\n  - b\n    ```\n  - [ ] 1.1", ["1.1"]],
    ["behind what is no fence", "``\n- [ ] 1.1\n``` a`\n- [ ] 1.2", ["1.1", "1.2"]],
    ["in a comment", "<!--\n- [ ] 9.9\n\n- [ ] 9.8\n-->\n- [ ] 1.1", ["1.1"]],
    ["in a comment with text around", "<!-- a\n- [ ] 9.9\nb --> c\n- [ ] 1.1", ["1.1"]],
    [
      "in a comment under a task",
      "- [ ] 1.1\n  <!--\n  - [ ] 9.9\n  -->\n  - [ ] 1.2",
      ["1.1", "1.2"],
    ],
    ["in a comment that its item ends", "- [ ] 1.1\n  <!--\n- [ ] 1.2", ["1.1", "1.2"]],
    ["behind a comment of one line", "<!-- a -->\n<!-->\n<!--->\n- [ ] 1.1", ["1.1"]],
    ["behind a comment within a line", "a <!--\n- [ ] 1.1\n-->", ["1.1"]],
    ["in <pre>", "<pre>\n- [ ] 9.9\n\n- [ ] 9.8\n</pre>\n- [ ] 1.1", ["1.1"]],
    ["in <PRE class>", '<PRE class="x">\n\n- [ ] 9.9\n</PRE>\n- [ ] 1.1', ["1.1"]],
    ["behind <pre> of one line", "<pre>x</pre>\n- [ ] 1.1", ["1.1"]],
    ["in <script> up to any raw end", "<script>\n\n- [ ] 9.9\n</style>\n- [ ] 1.1", ["1.1"]],
    ["in <details> up to a blank line", "<details>\n- [ ] 9.9\n\n- [ ] 1.1\n</details>", ["1.1"]],
    ["below a lone tag", "<my-tag a='b'>\n- [ ] 9.9\n\n- [ ] 1.1", ["1.1"]],
    ["below a lone tag in text", "text\n<my-tag>\n- [ ] 1.1", ["1.1"]],
    ["below an address", "<https://example.org>\n- [ ] 1.1", ["1.1"]],
    [
      "in <? ?>, <! > and CDATA",
      "<?\n- [ ] 9\n?>\n<!A\n- [ ] 9\n>\n<![CDATA[\n- [ ] 9\n]]>\n- [ ] 1.1",
      ["1.1"],
    ],
    ["in indented code", "text\n\n    - [ ] 9.9\n\n- [ ] 1.1", ["1.1"]],
    ["in indented code of an item", "- a\n\n      - [ ] 9.9", []],
    ["in text that goes on", "text\n    - [ ] 9.9", []],
    ["in text of an item that goes on", "- text\n      - [ ] 9.9", []],
    ["as number 2 in text", "text\n2. [ ] 9.9", []],
    ["as number 11 in text", "text\n11. [ ] 9.9", []],
    ["as number 1 in text", "text\n1. [ ] 1.1", ["1.1"]],
    ["as number 2 below a task", "- [ ] 1.1\n2. [ ] 1.2", ["1.1", "1.2"]],
    ["as number 2 below a heading", "text\n===\n2. [ ] 1.1", ["1.1"]],
    ["below text", "text\n- [ ] 1.1", ["1.1"]],
    ["in a quote", "> text\n> - [ ] 9.9\n- [ ] 1.1", ["1.1"]],
    ["behind two bullets", "- - [ ] 1.1\n- 1. [ ] T002", ["1.1", "T002"]],
    ["behind two bullets without an id", "- - [ ] a", []],
    ["behind more bullets than anyone writes", `${"- ".repeat(99)}[ ] 1.1`, []],
    ["below an empty item", "-\n  - [ ] a", []],
    ["below an empty item and a blank line", "-\n\n  - [ ] a", ["#1"]],
    ["below a line of dashes in bullets", "- - -\n  - [ ] a", ["#1"]],
  ])("%s: %j", (_, text, expected) => {
    expect(ids(text)).toEqual(expected);
    expect(ids(text.replaceAll("\n", "\r\n"))).toEqual(expected);
  });

  it.each<[why: string, text: string, ids: string[]]>([
    [
      "without an id at top level",
      "- [ ] a\n- [x] b\n- [ ] 1.1 c\n- [ ] d",
      ["#1", "#2", "1.1", "#4"],
    ],
    [
      "without an id under a task",
      "- [ ] 1.1 a\n  - [ ] step\n  - [x] step\n- [ ] 1.2 b",
      ["1.1", "1.2"],
    ],
    ["without an id under a tab", "- [ ] 1.1 a\n\t- [ ] step", ["1.1"]],
    ["without an id behind blank lines", "- [ ] 1.1 a\n\n\n  - [ ] step", ["1.1"]],
    ["without an id under a field", "- [ ] 1.1 a\n  - **Do**:\n    - [ ] step", ["1.1"]],
    ["without an id under a plain item", "- a\n  - [ ] step", []],
    [
      "with an id under a task",
      "- [ ] 1. a\n  - [ ] 1.1 b\n    - [ ] 1.1.1 c\n  - [ ] 1.2 d",
      ["1", "1.1", "1.1.1", "1.2"],
    ],
    ["with an id under a plain item", "- Setup\n  - [ ] T001 a", ["T001"]],
    [
      "that counts steps",
      "- [ ] 1. a\n  - [ ] 1. step\n  - [ ] 2) step\n  - [ ] **3** step",
      ["1"],
    ],
    ["of two sizes", "- [ ] 1.2 seconds is no step", ["1.2"]],
    ["one column too far left", "10. [ ] T001 a\n   - [ ] b", ["T001", "#2"]],
  ])("%s: %j", (_, text, expected) => {
    expect(ids(text)).toEqual(expected);
  });
});

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
    ["may begin with a blank line", "---\n\nname: |\n  # a\n---\n- [ ] 1.1", ["1.1"]],
    ["may end with dots", "---\nname: a\n...\n- [ ] 1.1", ["1.1"]],
    ["stands behind a byte order mark", "\uFEFF---\r\nname: a\r\n---\r\n- [ ] 1.1", ["1.1"]],
    ["has to end", "---\nname: a\n\n- [ ] 1.1", ["1.1"]],
    ["has to begin with a key", "---\n\n# Tasks\n- [ ] 1.1\n\n---\n- [ ] 1.2", ["1.1", "1.2"]],
    ["has no boxes", "---\nNote: a\n\n- [ ] 1.1\n\n---\n- [ ] 1.2", ["1.1", "1.2"]],
    ["stands on top", "# Tasks\n---\nname: a\n- [ ] 1.1\n---", ["1.1"]],
  ])("%s: %j", (_, text, expected) => {
    expect(ids(text)).toEqual(expected);
  });

  it("counts as lines and makes no phases", () => {
    const { tasks, phases } = parseTasks("---\nname: a\n---\n# A\n- [ ] b");
    expect(tasks).toMatchObject([{ line: 5, phase: 0 }]);
    expect(phases).toEqual([{ title: "A", line: 4 }]);
  });
});

it("keeps each line with its ending", () => {
  expect(parseTasks("a\r\n\nb\rc\n- [ ] d").lines).toEqual(["a\r\n", "\n", "b\rc\n", "- [ ] d"]);
  expect(parseTasks("").lines).toEqual([]);
});
