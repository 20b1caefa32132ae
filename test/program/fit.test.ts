import { describe, expect, it } from "vitest";
import { fitGrowth } from "../../bench/fit.ts";

const SIZES = [10, 100, 1000, 10_000, 100_000];
const FLOOR = 25;

const grown = (time: (size: number) => number) =>
  fitGrowth(SIZES.map((size) => ({ size, milliseconds: FLOOR + time(size) })));

describe("the growth of a time with a size", () => {
  it.each<[what: string, time: (size: number) => number, exponent: number, verdict: string]>([
    ["a constant", () => 0, 0, "flat"],
    ["noise", (size) => (size % 7) / 5, 0, "flat"],
    ["noise that is always there", (size) => 3 + (size % 7) / 5, 0, "flat"],
    ["a line that the floor hides at first", (size) => size / 300, 1, "linear"],
    ["n log n", (size) => (size * Math.log(size)) / 3000, 1.1, "linear"],
    ["the third root", (size) => 3 * Math.cbrt(size), 0.33, "less than linear"],
    ["a root", (size) => Math.sqrt(size), 0.5, "linear"],
    ["one disturbance", (size) => (size === 1000 ? 20 : 0), 0, "flat"],
    ["the last one a little above", (size) => (size === 100_000 ? 3 : 0), 0, "flat"],
    ["a cliff at the end", (size) => (size === 100_000 ? 500 : 0), 2, "worse than linear"],
    ["a square", (size) => size ** 2 / 1e6, 2, "worse than linear"],
  ])("%s", (_, time, exponent, verdict) => {
    const growth = grown(time);
    expect(growth.exponent).toBeCloseTo(exponent, 0);
    expect(growth.verdict).toBe(verdict);
  });

  it("leaves nothing out of account but a size of zero", () => {
    const points = [0, ...SIZES].map((size) => ({ size, milliseconds: FLOOR + size / 100 }));
    expect(fitGrowth(points)).toMatchObject({ verdict: "linear" });
    expect(fitGrowth([])).toEqual({ exponent: 0, verdict: "flat" });
  });
});
