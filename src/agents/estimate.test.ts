import { expect, it } from "vitest";
import { beginEstimate, countCall, countHeard, countWritten } from "./estimate.ts";

it("counts the whole context with every call, and what was sent before as cached", () => {
  const first = countWritten(countCall(countHeard(beginEstimate(1000), 400)), 80);
  expect(first).toMatchObject({
    context: 1120,
    tokens: { input: 1100, cached: 0, output: 20 },
    calls: 1,
  });
  const second = countCall(countHeard(first, 4000));
  expect(second.tokens).toEqual({ input: 1100 + 2120, cached: 1100, output: 20 });
});

it("counts only as much of a long output as agents pass on", () => {
  expect(countHeard(beginEstimate(0), 10_000_000).context).toBe(10_000);
});

it("counts as cached only what is sent again after a compaction", () => {
  const before = countCall(beginEstimate(50_000));
  const after = countCall({ ...before, context: 8000 });
  expect(after.tokens).toEqual({ input: 58_000, cached: 8000, output: 0 });
});
