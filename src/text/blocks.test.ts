import { describe, expect, it } from "vitest";
import { parseTasks } from "../tasks/parse.ts";

const ids = (text: string): string[] => parseTasks(text).tasks.map((task) => task.id);

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
    ["below a lone tag outside the text's item", "- text\n<my-tag>\n- [ ] a", ["#1"]],
    ["below a tag that cuts text", "text\n<DIV>\n- [ ] 9.9\n\n- [ ] 1.1", ["1.1"]],
    ["below tags with text", "<b>bold</b>\n- [ ] 1.1\n\n<Foo\n- [ ] 1.2", ["1.1", "1.2"]],
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
    ["in an item that began empty", "-\n  a\n\n  - [ ] b", []],
    ["below an empty item that is text", "text\n*\n  - [ ] a", ["#1"]],
    ["below two bullets and nothing", "- -\n  - [ ] a", []],
    ["below a quote that goes on", "- a\n  > b\nc\n  - [ ] d", []],
    ["below an empty quote", "- a\n  >\nc\n  - [ ] d", ["#1"]],
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
