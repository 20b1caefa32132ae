import { describe, expect, it } from "vitest";
import { pickOwnWork } from "./own-work.ts";

describe("whose work an uncommitted file is", () => {
  it.each([
    // clean before, listed, edited → its own
    [true, true, true, true],
    [true, true, false, true],
    [true, false, true, true],
    [true, false, false, false],
    [false, true, true, false],
    [false, false, true, false],
  ])("clean %s, listed %s, edited %s: its own %s", (isClean, isListed, isEdited, isMine) => {
    const { mine, rest } = pickOwnWork({
      names: ["a"],
      dirty: new Set(isClean ? [] : ["a"]),
      isListed: () => isListed,
      edited: new Set(isEdited ? ["a"] : []),
    });
    expect(mine).toEqual(isMine ? ["a"] : []);
    expect(rest).toEqual(isMine ? [] : ["a"]);
  });
});
