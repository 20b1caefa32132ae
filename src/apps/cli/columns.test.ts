import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cell, renderColumns, shorten, widthOf, wrap } from "./columns.ts";

describe("widthOf", () => {
  it.each([
    ["plain", 5],
    ["\u001b[32mgreen\u001b[39m", 5],
    ["✓ 1.1", 5],
    ["日本語", 6],
    ["🚀", 2],
    ["é", 1],
  ])("%j takes %i columns", (text, columns) => expect(widthOf(text)).toBe(columns));
});

describe("wrap", () => {
  it.each([
    ["breaks between words", "one two three four", 10, "one two\n  three\n  four"],
    [
      "aligns with the second column",
      "next  one two three",
      12,
      "next  one\n      two\n      three",
    ],
    [
      "breaks before a second column without room",
      "  command  one two",
      14,
      "  command\n    one two",
    ],
    ["breaks before it only once", "  command  aaaa bbb cccc", 18, "  command\n    aaaa bbb cccc"],
    ["keeps an indent", "    → one two three", 14, "    → one two\n     three"],
    [
      "leaves a long word whole",
      "see /a/very/long/path now",
      10,
      "see\n  /a/very/long/path\n  now",
    ],
    ["counts no colours", "\u001b[32mone two\u001b[39m", 7, "\u001b[32mone two\u001b[39m"],
    ["leaves what fits", "a\n\n  b  ", 80, "a\n\n  b  "],
  ])("%s", (_, text, width, wrapped) => expect(wrap(text, width)).toBe(wrapped));

  it("only ever changes white space, and makes every line fit unless one word does not", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }),
        fc.integer({ min: 20, max: 120 }),
        (text, width) => {
          const wrapped = wrap(text, width);
          expect(wrapped.replace(/\s/g, "")).toBe(text.replace(/\s/g, ""));
          for (const line of wrapped.split("\n"))
            if (/\S\s+\S/.test(line)) expect(widthOf(line.trimEnd())).toBeLessThanOrEqual(width);
        },
      ),
    );
  });
});

it("cuts and fills cells by columns, not by characters", () => {
  expect(shorten("日本語のタスク", 7)).toBe("日本語…");
  expect(shorten("one\ntwo", 20)).toBe("one two");
  expect(cell("ab", 4)).toBe("ab  ");
  expect(widthOf(cell("日本語のタスク", 8))).toBe(8);
});

describe("renderColumns", () => {
  const rows = [
    ["a", "a long title that takes its room", "9f2c"],
    ["bb", "short", ""],
  ];

  it("takes as much room as there is in a pipe", () => {
    expect(renderColumns(rows, undefined)).toEqual([
      "a   a long title that takes its room  9f2c",
      "bb  short",
    ]);
  });

  it("cuts the widest column first", () => {
    expect(renderColumns(rows, 30)).toEqual(["a   a long title that t…  9f2c", "bb  short"]);
  });

  it("puts cells below each other where nothing would be left of them", () => {
    expect(renderColumns(rows, 16)).toEqual([
      "a\n  a long title that takes its room\n  9f2c",
      "bb\n  short",
    ]);
  });
});
