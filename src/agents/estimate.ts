import { NO_TOKENS, type Tokens } from "./port.ts";

/** Our own count of what an agent has used, until it says so itself: a budget cannot wait for that. */
export interface Estimate {
  /** Tokens that the next call sends. */
  readonly context: number;
  /** Tokens that the last call sent. */
  readonly sent: number;
  readonly tokens: Tokens;
  readonly calls: number;
}

const CHARACTERS_PER_TOKEN = 4;

/** Agents cut what a tool prints before the model sees it. */
const MAX_HEARD = 10_000;

const tokensIn = (characters: number): number => Math.ceil(characters / CHARACTERS_PER_TOKEN);

export const beginEstimate = (context: number): Estimate => ({
  context,
  sent: 0,
  tokens: NO_TOKENS,
  calls: 0,
});

/** A call sends the whole conversation so far. What the last call sent comes from the cache. */
export const countCall = ({ context, sent, tokens, calls }: Estimate): Estimate => ({
  context,
  sent: context,
  tokens: {
    ...tokens,
    input: tokens.input + context,
    cached: tokens.cached + Math.min(sent, context),
  },
  calls: calls + 1,
});

/** Every later call contains what the model wrote. */
export function countWritten(estimate: Estimate, characters: number): Estimate {
  const written = tokensIn(characters);
  const { tokens } = estimate;
  return {
    ...estimate,
    context: estimate.context + written,
    tokens: { ...tokens, output: tokens.output + written },
  };
}

export const countHeard = (estimate: Estimate, characters: number): Estimate => ({
  ...estimate,
  context: estimate.context + Math.min(tokensIn(characters), MAX_HEARD),
});
