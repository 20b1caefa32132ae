import { describe, expect, it } from "vitest";
import type { Layout } from "../../src/layouts/layout.ts";
import { describePath, explore } from "./explore.ts";
import { gameOf, scenarios, startOf } from "./scenarios.ts";

/** Run for each layout by a file of its own, so that they share the time. */
export function describeModel(layout: Layout): void {
  describe(`every way that a run of ${layout.plugin} can go`, () => {
    it.each(scenarios.map((one) => [one.name, one] as const))(
      "%s",
      { timeout: 120_000 },
      (_, scenario) => {
        const game = gameOf(scenario, layout);
        const found = explore(startOf(scenario, game), game, scenario.bounds);
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
