import { array, assert, constantFrom, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { parseYaml } from "./yaml.ts";

describe("parseYaml", () => {
  it.each<[what: string, text: string, value: unknown]>([
    ["nothing", "# only a comment\n\n", null],
    [
      "a mapping",
      "a: 1\nb: two words # said\nc:\nd: ~\n",
      { a: 1, b: "two words", c: null, d: null },
    ],
    [
      "lists right below their key",
      "a:\n- x\n- w: 1\n  z: 2\nb: 3\n",
      { a: ["x", { w: 1, z: 2 }], b: 3 },
    ],
    ["indented lists", "a:\n    - x\n    -\n        w: 1\n", { a: ["x", { w: 1 }] }],
    ["lists in lists", "- - 1\n  - 2\n- []\n", [[1, 2], []]],
    [
      "a long plain text over two lines",
      "a: one two\n  three\nb: x\n",
      { a: "one two three", b: "x" },
    ],
    [
      "quotes",
      `a: 'it''s: # x'\nb: "\\u00e4\\n\\"" # c\n"c d": x\n`,
      { a: "it's: # x", b: 'ä\n"', "c d": "x" },
    ],
    [
      "quotes over two lines",
      "a: 'one\n  two'\nb: \"one\\\n  \\ two\"\n",
      { a: "one two", b: "one two" },
    ],
    ["blocks", "a: |\n  x\n    y\n\nb: >-\n  x\n  y\nc: 1\n", { a: "x\n  y\n", b: "x y", c: 1 }],
    [
      "flow",
      "a: [x, 'y, z', {b: true}]\nc: {}\nd: [1,\n  2]\n",
      { a: ["x", "y, z", { b: true }], c: {}, d: [1, 2] },
    ],
    ["words for true and false", "a: yes\nb: Off\nc: 'no'\n", { a: true, b: false, c: "no" }],
    ["urls and times", "a: https://x.org/y#z\nb: 12:30\n", { a: "https://x.org/y#z", b: "12:30" }],
    [
      "a byte order mark, carriage returns and a first line of dashes",
      "\uFEFF---\r\na: 1\r\n",
      { a: 1 },
    ],
    [
      "a key that objects have anyway",
      "__proto__: 1\nconstructor: 2\n",
      JSON.parse('{"__proto__":1,"constructor":2}'),
    ],
  ])("reads %s", (_, text, value) => {
    expect(parseYaml(text)).toEqual(value);
  });

  it.each([
    ["an anchor", "a: &x 1\nb: *x\n"],
    ["a tag", "a: !!python/object x\n"],
    ["two documents", "a: 1\n---\nb: 2\n"],
    ["a key twice", "a: 1\na: 2\n"],
    ["a text that never ends", "a: 'x\nb: 1\n"],
    ["a list that never ends", "a: [1, 2\nb: 3\n"],
    ["a tab", "a:\n\t- x\n"],
    ["a mapping in a plain text", "a: b\n  c: d\n"],
    ["a line that does not fit", "a: 1\n  - x\nb\n"],
    ["a nest", "[".repeat(50)],
    ["a nest too deep to follow", `${"[".repeat(20_000)}${"]".repeat(20_000)}`],
  ])("does not read %s", (_, text) => {
    expect(parseYaml(text)).toBeUndefined();
  });

  it("never throws", () => {
    const pieces = constantFrom(
      "a",
      ":",
      " ",
      "\n",
      "- ",
      "'",
      '"',
      "[",
      "]",
      "{",
      "}",
      "#",
      "|",
      ">",
      "\\",
      "\t",
    );
    assert(
      property(array(pieces, { maxLength: 40 }), (parts) => {
        parseYaml(parts.join(""));
      }),
    );
  });
});
