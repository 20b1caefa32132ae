import { NO_TOKENS, type Tokens } from "./port.ts";

/** What an agent has used by our own count, for as long as it does not say. A budget cannot wait for its end. */
export interface Estimate {
  /** What goes in with the next call, in tokens. */
  readonly context: number;
  /** What went in with the last. */
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

/** The model was asked, with all that was said before. What it was asked with the last time comes from the cache. */
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

/** What the model wrote is in every later call. */
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
