import fc from "fast-check";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmTaskListItemFromMarkdown } from "mdast-util-gfm-task-list-item";
import { gfmTaskListItem } from "micromark-extension-gfm-task-list-item";
import { expect, test } from "vitest";
import { parseTasks } from "./parse.ts";

/** [line, checked] */
type Found = [number, boolean];
type Node = ReturnType<typeof fromMarkdown> | ReturnType<typeof fromMarkdown>["children"][number];

function oracle(text: string): Found[] {
  const root = fromMarkdown(text, {
    extensions: [gfmTaskListItem()],
    mdastExtensions: [gfmTaskListItemFromMarkdown()],
  });
  const lines = text.split(/\r\n|\n/);
  const found: Found[] = [];
  const visit = (node: Node, depth: number): void => {
    if (node.type === "blockquote" || !("children" in node)) return;
    if (node.type === "listItem" && typeof node.checked === "boolean") {
      const line = node.position?.start.line as number;
      const [first] = node.children;
      const source = lines[line - 1] as string;
      const hasId = /\[[ xX]\]\s+(?:\d+\.\d+|T\d+|V\d)\b/.test(source);
      const isOnLine = first?.type === "paragraph" && first.position?.start.line === line;
      const hasBox = /\[[ xX]\][ \t]+\S/.test(source);
      if (isOnLine && hasBox && (depth === 1 || hasId)) found.push([line, node.checked]);
    }
    for (const child of node.children) {
      visit(child as Node, depth + (node.type === "list" ? 1 : 0));
    }
  };
  visit(root, 0);
  return found.sort(([a], [b]) => a - b);
}

const space = fc.constantFrom(
  "",
  "",
  "",
  " ",
  "  ",
  "  ",
  "   ",
  "    ",
  "    ",
  "     ",
  "      ",
  "\t",
  " \t",
  "\t\t",
);
const bullet = fc.constantFrom(
  "- ",
  "- ",
  "- ",
  "* ",
  "+ ",
  "1. ",
  "2) ",
  "10. ",
  "-\t",
  "-    ",
  "-     ",
  "1.\t",
);
const bullets = fc.oneof(
  { weight: 2, arbitrary: fc.constant("") },
  { weight: 4, arbitrary: bullet },
  { weight: 1, arbitrary: fc.tuple(bullet, bullet).map((pair) => pair.join("")) },
);
const content = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.constantFrom(
      "[ ] 1.2 [P] with id",
      "[x] T012 done",
      "[X] V4 [VERIFY] check",
      "[ ] 2.1",
    ),
  },
  { weight: 4, arbitrary: fc.constantFrom("[ ] step", "[x] step done", "[ ]\tstep") },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      "text",
      "**Do**: x",
      "3 words here",
      "1.5 seconds",
      "_Requirements: 1_",
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom("", "[ ]", "[x]", "[]", "[ ]x", "[y] no", "[link](url)", "\\[ ] no"),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom("```", "```", "````", "~~~", "~~~ sh", "```js", "``` a`b", "``"),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom("<!-- a -->", "<!--", "<!-- a", "-->", "b --> c", "<!-->"),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "<pre>",
      "</pre>",
      "<PRE>",
      "<pre>x</pre>",
      "<div>",
      "</div>",
      "<details open>",
      "<b>",
      "<a href='x'>",
      "<b>x",
    ),
  },
  { weight: 2, arbitrary: fc.constantFrom("> note", ">", "> - [ ] 9.9 quoted") },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      "[foo]: /url",
      "| a | b |",
      "\\- [ ] esc",
      "<https://x.y>",
      "<Foo",
      "</details>",
      "<summary>x</summary>",
      "<?php",
      "?>",
      "<!DOCTYPE html>",
      "<!D",
      "<![CDATA[",
      "]]>",
      "`code`",
      "&nbsp;",
      "<script>",
      "</script>",
      "<style x>",
      "</textarea>",
      "<hr/>",
      "<p",
      ">> x",
      "é 🎉",
      "\u00a0",
      "\u00a0- [ ] nb",
      "\u200b",
    ),
  },
  { weight: 2, arbitrary: fc.constantFrom("# Heading", "## Phase 1 ##", "#not", "####### seven") },
  {
    weight: 2,
    arbitrary: fc.constantFrom("---", "***", "- - -", "___", "===", "-", "--", "* * *", "="),
  },
);
const line = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(space, bullets, content).map((parts) => parts.join("")) },
  { weight: 1, arbitrary: fc.constantFrom("", "", "  ", "\t") },
);
const document = fc
  .tuple(fc.array(line, { maxLength: 24 }), fc.constantFrom("\n", "\r\n"), fc.boolean())
  .map(([lines, end, closed]) => lines.join(end) + (closed ? end : ""))
  .filter((text) => isJudged(text));

/** Documents that the oracle cannot judge. */
const NOT_JUDGED = [
  // It takes indented code, and what stands behind a first bullet, for a paragraph that "2." cannot end.
  /^(?: {4}| {0,3}\t|.* {5}).*\r?\n\s*(?:2\)|10\.|(?:[-*+]|1\.)\s*$)/m,
  /^\s*\S+\s+(?:2\)|10\.|(?:[-*+]|1\.)\s*$)/m,
  // It lets a lone tag end a paragraph from outside its list item.
  /\S.*\r?\n\s*<(?:[ab]\b|\/(?:pre|script|textarea))/,
  // Dashes in a task make its title a heading, and so no task of the oracle. To us they are dashes.
  /\S.*\r?\n[ \t]+(?:-+|=+)[ \t]*$/m,
];
const isJudged = (text: string): boolean => !NOT_JUDGED.some((pattern) => pattern.test(text));

test("a box is a task exactly where Markdown says so", () => {
  fc.assert(
    fc.property(document, (text) => {
      expect(parseTasks(text).tasks.map((task) => [task.line, task.checked])).toEqual(oracle(text));
    }),
    { numRuns: Number(process.env["RUNS"] ?? 2000) },
  );
});
