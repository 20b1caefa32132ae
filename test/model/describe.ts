import { describe, expect, it } from "vitest";
import type { Edition } from "../../src/layouts/layout.ts";
import { isFull } from "../support/full.ts";
import { describePath, explore } from "./explore.ts";
import { gameOf, scenarios, startOf } from "./scenarios.ts";

/** Run for each layout from its own file, so that they run in parallel. */
export function describeModel(layout: Edition): void {
  describe(`every way that a run of ${layout.plugin} can go`, () => {
    it.each(scenarios.map((one) => [one.name, one] as const))(
      "%s",
      { timeout: 300_000 },
      (_, scenario) => {
        const game = gameOf(scenario, layout);
        const { depth: deepest, worlds: most } = scenario.bounds;
        const bounds = { depth: deepest, worlds: isFull ? most : Math.ceil(most / 4) };
        const found = explore(startOf(scenario, game), game, bounds);
        const { worlds, moves, depth, complete, counterexample } = found;
        const extent = complete ? "all there is" : "cut there";
        console.log(
          `${scenario.name}: ${worlds} worlds, ${moves} moves, depth ${depth}, ${extent}`,
        );
        expect(counterexample === undefined ? "" : describePath(counterexample)).toBe("");
        expect(worlds).toBeGreaterThan(100);
      },
    );
  });
}
