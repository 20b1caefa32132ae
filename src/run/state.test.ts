import { expect, it } from "vitest";
import { formatState, parseState } from "./state.ts";

const nested = (depth: number): string => `{"x":${"[".repeat(depth)}${"]".repeat(depth)}}`;

it("a state that could not be written again is not used", () => {
  expect(parseState(nested(100_000))).toEqual({ kind: "corrupt", why: "it is nested too deeply" });
  const file = parseState(nested(90));
  expect(file.kind === "ok" && JSON.parse(formatState(file.raw))).toEqual(JSON.parse(nested(90)));
});
