import { describe, expect, it } from "vitest";
import { paint, wantsColour } from "./paint.ts";

describe("colour", () => {
  it.each<[isTerminal: boolean, env: Record<string, string>, wants: boolean]>([
    [true, {}, true],
    [false, {}, false],
    [true, { TERM: "dumb" }, false],
    [true, { NO_COLOR: "1" }, false],
    [true, { NO_COLOR: "" }, true],
    [false, { FORCE_COLOR: "1" }, true],
    [false, { FORCE_COLOR: "0" }, false],
    [true, { NO_COLOR: "1", FORCE_COLOR: "1" }, false],
  ])("terminal %s with %j: %s", (isTerminal, env, wants) => {
    expect(wantsColour(isTerminal, env)).toBe(wants);
  });

  it("is taken back where it ends, or is not there at all", () => {
    expect(paint(true).bad("x")).toBe("\u001b[31mx\u001b[39m");
    expect(Object.values(paint(false)).map((colour) => colour("x"))).toEqual(
      Object.keys(paint(false)).map(() => "x"),
    );
  });
});
