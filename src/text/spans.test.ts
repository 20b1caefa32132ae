import { expect, it } from "vitest";
import { readSpans } from "./spans.ts";

it.each([
  ["", []],
  ["no code", []],
  ["`a`", ["a"]],
  ["`a` and `b`", ["a", "b"]],
  ["``a`b`` c", ["a`b"]],
  ["`a``b`", ["a``b"]],
  ["```a`", []],
  ["`a", []],
  ["``", []],
  ["`a\nb`", ["a\nb"]],
  ["`` ` `` `x`", [" ` ", "x"]],
])("%j", (text, expected) => {
  const spans = readSpans(text);
  expect(spans.map(({ code }) => code)).toEqual(expected);
  for (const { start, end } of spans) expect(text.slice(start, end)).toMatch(/^`[^]*`$/);
});
