import * as fc from "fast-check";
import { runCapped } from "./growth.ts";
import type { Target } from "./target.ts";

export interface Fed {
  readonly inputs: number;
  readonly slowest: { readonly milliseconds: number; readonly input: unknown };
  /** The smallest input that does it, and what it does. */
  readonly violation?: { readonly what: string; readonly input: unknown };
}

/** How to call a target: with an end to it, or, which is quicker, with somebody who looks on. */
type Call = (job: () => void | Promise<void>) => void | Promise<void>;

/** Feeds a target; the first violation ends it, and is made as small as it can be. */
export async function feed(
  { inputs, run }: Target,
  numRuns: number,
  seed: number,
  call: Call = runCapped,
): Promise<Fed> {
  let slowest: Fed["slowest"] = { milliseconds: 0, input: undefined };
  const property = fc.asyncProperty(inputs, async (input) => {
    const start = performance.now();
    await call(() => run(input));
    const milliseconds = performance.now() - start;
    if (milliseconds > slowest.milliseconds) slowest = { milliseconds, input };
  });
  const result = await fc.check(property, { numRuns, seed });
  if (!result.failed) return { inputs: result.numRuns, slowest };
  const what = String(
    result.errorInstance instanceof Error ? result.errorInstance.stack : result.errorInstance,
  );
  return {
    inputs: result.numRuns,
    slowest,
    violation: { what, input: result.counterexample?.[0] },
  };
}
