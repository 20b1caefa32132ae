import { describe, expect, it } from "vitest";
import { readMarkdown, splitRow, withoutCode } from "./markdown.ts";

const kinds = (text: string): string[] =>
  readMarkdown(text).map(({ kind, text: own, level }) =>
    [kind, level > 0 ? level : "", own].filter(Boolean).join(" "),
  );

describe("readMarkdown", () => {
  const table: Readonly<Record<string, [text: string, lines: string[]]>> = {
    "headings of both kinds": [
      "# One #\n\nTwo\n---\nThree\n===\n",
      ["heading 1 One", "blank", "heading 2 Two", "rule", "heading 1 Three", "rule"],
    ],
    "a BOM, CRLF and front matter": [
      "\uFEFF---\r\nspec: x\r\n---\r\n## A\r\n",
      ["hidden", "hidden", "hidden", "heading 2 A"],
    ],
    "a fence, and a heading in it": [
      "```md\n## A\n\n```\nb",
      ["code ```md", "code ## A", "blank", "code ```", "text b"],
    ],
    "comments of one line, of several, and what stands behind them": [
      "<!-- a --> b\n\n<!--\n## c\n--> d\n\ne <!-- f --> g",
      ["text  b", "blank", "hidden", "hidden", "text  d", "blank", "text e  g"],
    ],
    "a comment in backticks": ["see `<!--` and `-->`", ["text see `<!--` and `-->`"]],
    "a backtick in a comment": [
      "a <!-- ` --> b `<!-- c -->` <!-- d --> e",
      ["text a  b `<!-- c -->`  e"],
    ],
    "a backtick without its end, and a comment without one": [
      "a ` <!-- b --> c <!-- d",
      ["text a `  c <!-- d"],
    ],
    "guidance in angle brackets, which is HTML to Markdown": [
      "<what it is for>\n\n<pre>\nx\n</pre>",
      ["text <what it is for>", "blank", "code <pre>", "code x", "code </pre>"],
    ],
    "bullets with nothing behind them": ["-\n- a\n  - [ ] b", ["blank", "text a", "text [ ] b"]],
    rules: ["a\n\n***", ["text a", "blank", "rule"]],
  };
  it.each(Object.entries(table))("%s", (_, [text, lines]) => {
    expect(kinds(text)).toEqual(lines);
  });

  it("knows list items, and numbers lines as editors do", () => {
    expect(readMarkdown("a\n\n- b\n  c\n")).toMatchObject([
      { number: 1, isItem: false },
      { number: 2 },
      { number: 3, isItem: true, text: "b" },
      { number: 4, isItem: false, text: "c" },
    ]);
  });
});

it("splits a row only at real pipes", () => {
  expect(splitRow("| a \\| b |  | c |")).toEqual(["a | b", "", "c"]);
  expect(splitRow("| a | b")).toEqual(["a", "b"]);
  expect(splitRow("a | b")).toBeUndefined();
});

it("blanks code out at its length", () => {
  expect(withoutCode("a `b` ``c`d`` e")).toBe("a     ".padEnd(13) + " e");
});
