import { describe, expect, it } from "vitest";
import { priceUsage } from "./spent.ts";

describe("priceUsage", () => {
  const prices = [{ model: "gpt*", input: 2, output: 10, cached: 0.5 }];
  const tokens = { input: 1_000_000, cached: 400_000, output: 100_000 };
  it.each([
    ["what the agent reports", { tokens, usd: 7 }, 7, "agent"],
    [
      "what the agent reports, even if there is a price",
      { tokens, usd: 7, model: "gpt-5" },
      7,
      "agent",
    ],
    ["the price of its model", { tokens, model: "gpt-5" }, 0.6 * 2 + 0.4 * 0.5 + 1, "prices"],
    ["not a zero that the price contradicts", { tokens, usd: 0, model: "gpt-5" }, 2.4, "prices"],
    ["a zero that nothing contradicts", { tokens, usd: 0, model: "mine" }, 0, "agent"],
    ["nothing", { tokens, model: "other" }, null, "unknown"],
    ["nothing, if the report is nonsense", { tokens, usd: Number.NaN }, null, "unknown"],
    ["nothing, if the report is negative", { tokens, usd: -3 }, null, "unknown"],
  ])("takes %s", (_, usage, usd, source) => {
    const found = priceUsage(usage, prices);
    expect(found.source).toBe(source);
    if (usd === null) expect(found.usd).toBeNull();
    else expect(found.usd).toBeCloseTo(usd, 9);
  });

  it("cached input without a price of its own costs as much as other input", () => {
    const usage = { tokens, model: "m" };
    expect(priceUsage(usage, [{ model: "m", input: 1, output: 0 }]).usd).toBeCloseTo(1, 9);
  });
});
