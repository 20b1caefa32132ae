import { NO_TOKENS, type Tokens, type Usage } from "../agents/port.ts";
import { findPrice, type Price } from "../run/prices.ts";
import type { CostSource, Spent } from "./events.ts";

export const NOTHING: Spent = { tokens: NO_TOKENS, usd: 0, source: "agent" };

/** What was used, with its cost as the agent reports it, or else by the prices in the settings. */
export function spentOf(usage: Usage, prices: readonly Price[]): Spent {
  const tokens = boundTokens(usage.tokens);
  const price = findPrice(prices, usage.model);
  const usd = amountOf(usage.usd);
  // An agent that does not know its model's price may report zero.
  const isReported = usd !== undefined && (usd > 0 || price === undefined || totalOf(tokens) === 0);
  if (isReported) return { tokens, usd, source: "agent" };
  if (price === undefined) return { tokens, usd: null, source: "unknown" };
  return { tokens, usd: costOf(tokens, price), source: "prices" };
}

/** Input and output together, cached input included. */
export const totalOf = ({ input, output }: Tokens): number => input + output;

const costOf = ({ input, cached, output }: Tokens, price: Price): number =>
  ((input - cached) * price.input +
    cached * (price.cached ?? price.input) +
    output * price.output) /
  1e6;

/** Agents may report anything: no count is negative, and cached input is at most all input. */
function boundTokens({ input, cached, output }: Tokens): Tokens {
  const all = amountOf(input) ?? 0;
  return {
    input: all,
    cached: Math.min(amountOf(cached) ?? 0, all),
    output: amountOf(output) ?? 0,
  };
}

const amountOf = (value: number | undefined): number | undefined =>
  value !== undefined && value >= 0 && value <= Number.MAX_SAFE_INTEGER ? value : undefined;

/** If a part is unknown, the sum is a lower bound. */
export const addSpent = (a: Spent, b: Spent): Spent => ({
  tokens: {
    input: a.tokens.input + b.tokens.input,
    cached: a.tokens.cached + b.tokens.cached,
    output: a.tokens.output + b.tokens.output,
  },
  usd: a.usd === null && b.usd === null ? null : (a.usd ?? 0) + (b.usd ?? 0),
  source: SOURCES[Math.max(SOURCES.indexOf(a.source), SOURCES.indexOf(b.source))] ?? "unknown",
});

/** From the most to the least reliable. A sum is as reliable as its least reliable part. */
const SOURCES: readonly CostSource[] = ["agent", "prices", "unknown"];

/** Agents report totals, which never go down. A cost that the agent reports beats one from prices. */
export function laterOf(a: Spent, b: Spent): Spent {
  const isMoreReliable = SOURCES.indexOf(b.source) < SOURCES.indexOf(a.source);
  const cost = b.usd !== null && (isMoreReliable || a.usd === null || b.usd >= a.usd) ? b : a;
  return {
    tokens: {
      input: Math.max(a.tokens.input, b.tokens.input),
      cached: Math.max(a.tokens.cached, b.tokens.cached),
      output: Math.max(a.tokens.output, b.tokens.output),
    },
    usd: cost.usd,
    source: cost.source,
  };
}
