import { expect, it } from "vitest";
import { formatState, LIMITS, parseState, stateSchema } from "./state.ts";

const nested = (depth: number): string => `{"x":${"[".repeat(depth)}${"]".repeat(depth)}}`;

it("a state that could not be written again is not used", () => {
  expect(parseState(nested(100_000))).toEqual({ kind: "corrupt", why: "it is nested too deeply" });
  const file = parseState(nested(90));
  expect(file.kind === "ok" && JSON.parse(formatState(file.raw))).toEqual(JSON.parse(nested(90)));
});

it("the published schema gives each default, which is itself a valid state", () => {
  const { properties } = stateSchema() as {
    properties: Readonly<Record<string, { readonly default?: unknown }>>;
  };
  const given = Object.entries(properties).flatMap(([name, { default: value }]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  const raw = Object.fromEntries(given);
  expect(raw).toMatchObject({
    recoveryMode: false,
    maxTaskIterations: LIMITS.maxTaskIterations,
    maxGlobalIterations: LIMITS.maxGlobalIterations,
    maxFixTasksPerOriginal: LIMITS.maxFixTasksPerOriginal,
  });
  expect(parseState(JSON.stringify(raw))).toMatchObject({ kind: "ok", state: raw });
});
