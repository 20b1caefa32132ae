import { expect, it } from "vitest";
import { isoOf, listOf, parseFields } from "./json.ts";

it.each([
  ['{"a":1}', { a: 1 }],
  ["[1]", undefined],
  ["null", undefined],
  ["5", undefined],
  ["{", undefined],
  ["", undefined],
])("the fields of %j", (line, fields) => {
  expect(parseFields(line)).toEqual(fields);
});

it.each([
  [1794823166, "2026-11-16T09:59:26.000Z"],
  [0, undefined],
  [-5, undefined],
  [9e15, undefined],
  [Number.NaN, undefined],
  ["1794823166", undefined],
])("the time %j", (seconds, iso) => {
  expect(isoOf(seconds)).toBe(iso);
});

it("a list has only objects", () => {
  expect(listOf([{ a: 1 }, 5, null])).toEqual([{ a: 1 }, {}, {}]);
  expect(listOf("abc")).toEqual([]);
});
