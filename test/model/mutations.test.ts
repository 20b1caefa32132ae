import { describe, expect, it } from "vitest";
import { specum } from "../support/editions.ts";
import { describePath, explore } from "./explore.ts";
import { mutations } from "./mutations.ts";
import { properties } from "./properties.ts";
import { gameOf, type Scenario, scenarios, startOf } from "./scenarios.ts";

describe("a loop that", () => {
  it.each(mutations.map((one) => [one.what, one] as const))("%s is caught", (_, mutation) => {
    const { rules, scenario: name, breaks } = mutation;
    const scenario = scenarios.find((one) => one.name === name) as Scenario;
    const game = gameOf(scenario, specum, rules);
    const { counterexample } = explore(startOf(scenario, game), game, scenario.bounds);
    expect(counterexample?.property, counterexample && describePath(counterexample)).toBe(breaks);
  });

  it("breaks each property at least once", () => {
    const broken = new Set(mutations.map(({ breaks }) => breaks));
    expect(
      [...Object.keys(properties), "ends by itself", "comes to the end"].filter(
        (name) => !broken.has(name),
      ),
    ).toEqual([]);
  });

  it("is explained by the path that leads there, in words", () => {
    const broken = mutations.find(({ what }) => what === "ignores agents in the background");
    const scenario = scenarios.find(({ name }) => name === broken?.scenario) as Scenario;
    const game = gameOf(scenario, specum, broken?.rules);
    const { counterexample } = explore(startOf(scenario, game), game, scenario.bounds);
    expect(counterexample && describePath(counterexample)).toBe(
      [
        "hands each out once at a time: it keeps a going while its agent works on 1.1",
        "  1. a starts an agent for 1.1 in the background",
        "  2. a stops → continue, kept: 1.1",
      ].join("\n"),
    );
  });
});
