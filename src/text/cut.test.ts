import { describe, expect, it } from "vitest";
import { keepEnd, keepLines, keepStart } from "./cut.ts";

describe("a text that is too long", () => {
  it.each([
    ["one two three", 13, "one two three"],
    ["one two three", 12, "one two…"],
    ["one two three", 8, "one two…"],
    ["one two three", 6, "one…"],
    ["one, two three", 8, "one…"],
    ["a\nbcdefgh\nij", 11, "a\nbcdefgh…"],
    ["onetwothree", 5, "onet…"],
    ["a onetwothree", 8, "a onetw…"],
  ])("keeps its beginning in whole words: %j in %i", (text, max, kept) => {
    expect(keepStart(text, max)).toBe(kept);
    expect(kept.length).toBeLessThanOrEqual(max);
  });

  it.each([
    ["it fails with the old src", 25, "it fails with the old src"],
    ["it fails with the old src", 20, "…with the old src"],
    ["it fails with the old src", 18, "…with the old src"],
    ["one two\nit fails with it", 20, "…\nit fails with it"],
    ["one\nfails\nlast line here", 20, "…\nlast line here"],
    ["onetwothree", 5, "…hree"],
  ])("keeps its end in whole lines or words: %j in %i", (text, max, kept) => {
    expect(keepEnd(text, max)).toBe(kept);
    expect(kept.length).toBeLessThanOrEqual(max);
  });

  it("keeps whole lines, and says how many it left out", () => {
    const more = (count: number): string => `… and ${count} more`;
    expect(keepLines(["one", "two", "three"], 8, more)).toEqual(["one", "two", "… and 1 more"]);
    expect(keepLines(["one", "two"], 8, more)).toEqual(["one", "two"]);
    expect(keepLines([], 0, more)).toEqual([]);
  });
});
