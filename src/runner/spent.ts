import type { Tokens, Usage } from "../agents/port.ts";
import type { Spent } from "../run/cost.ts";
import { findPrice, type Price } from "../run/prices.ts";
import type { PricedUsage } from "./events.ts";

/** What was used, with its cost as the agent reports it, or else by the prices in the settings. */
export function priceUsage(usage: Usage, prices: readonly Price[]): PricedUsage {
  const tokens = boundTokens(usage.tokens);
  const price = findPrice(prices, usage.model);
  const usd = amountOf(usage.usd);
  // An agent that does not know its model's price may report zero.
  const isReported = usd !== undefined && (usd > 0 || price === undefined || totalOf(tokens) === 0);
  if (isReported) return { tokens, usd, source: "agent" };
  if (price === undefined) return { tokens, usd: null, source: "unknown" };
  return { tokens, usd: costOf(tokens, price), source: "prices" };
}

const totalOf = ({ input, output }: Tokens): number => input + output;

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

/** An agent that has reported nothing yet has no unknown cost. */
export const spentIn = ({ tokens, usd, source }: PricedUsage): Spent => ({
  tokens: totalOf(tokens) || null,
  ms: null,
  usd,
  sources: usd !== null ? [source] : totalOf(tokens) === 0 ? [] : ["unknown"],
  by: ["agents"],
});

/** Agents report totals, which never go down. A cost that the agent reports beats one from prices. */
export function laterOf(a: Spent, b: Spent): Spent {
  const isBetter = b.sources.includes("agent") && !a.sources.includes("agent");
  const cost = a.usd === null || (b.usd !== null && (isBetter || b.usd >= a.usd)) ? b : a;
  return { ...cost, tokens: Math.max(a.tokens ?? 0, b.tokens ?? 0) || null };
}
