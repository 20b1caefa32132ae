import * as fc from "fast-check";
import { expect } from "vitest";
import type { Outcome } from "../../src/agents/port.ts";

/** Whatever an agent prints, including `said`, there is an outcome. */
export const expectOutcome = (
  hear: (lines: string[]) => { readonly outcome: Outcome },
  said: fc.Arbitrary<object>,
): void =>
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          said.map((one) => JSON.stringify(one)),
          fc.string(),
        ),
      ),
      (lines) => {
        const { outcome } = hear(lines);
        expect(typeof outcome.report).toBe("string");
        expect(outcome.usage.tokens.input).toBeGreaterThanOrEqual(0);
      },
    ),
  );
