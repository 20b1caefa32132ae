import { isObject } from "../../text/schema.ts";
import { NO_TOKENS, type Tokens, type Usage } from "../port.ts";

export const NO_USAGE: Usage = { tokens: NO_TOKENS };

export const hasUsage = ({ tokens, usd = 0 }: Usage): boolean =>
  tokens.input > 0 || tokens.output > 0 || usd > 0;

/** What one update adds. Undefined if it says nothing about usage. */
export function addUpdate(
  usage: Usage,
  update: Readonly<Record<string, unknown>>,
): Usage | undefined {
  if (update["sessionUpdate"] === "usage_update") {
    // `used` is the size of the context, not what was spent. The cost is that of the session, which is ours alone.
    const { amount, currency } = objectIn(update, "cost");
    return typeof amount === "number" && currency === "USD" ? { ...usage, usd: amount } : undefined;
  }
  // Qwen Code: one per call of the model.
  const call = readTokens(objectIn(objectIn(update, "_meta"), "usage"));
  if (call === undefined) return undefined;
  const { tokens, calls = 0 } = usage;
  return { ...usage, tokens: sum(tokens, call), calls: calls + 1 };
}

/** The answer to the prompt says what the turn used, or less: OpenCode's has the last call only. */
export function addResponse(usage: Usage, response: Readonly<Record<string, unknown>>): Usage {
  const { token_count, model_usage } = objectIn(objectIn(response, "_meta"), "quota");
  const said = readTokens(response["usage"]) ?? readTokens(token_count);
  const tokens = said === undefined || isLess(said, usage.tokens) ? usage.tokens : said;
  const model = Array.isArray(model_usage) ? busiest(model_usage) : undefined;
  return { ...usage, tokens, ...(model === undefined ? {} : { model }) };
}

function readTokens(value: unknown): Tokens | undefined {
  if (!isObject(value)) return undefined;
  const input = count(value["inputTokens"] ?? value["input_tokens"]);
  const output = count(value["outputTokens"] ?? value["output_tokens"]);
  const read = count(value["cachedReadTokens"]);
  const cached = read + count(value["cachedWriteTokens"]);
  if (input + output + cached === 0) return undefined;
  // Some count what came from a cache as input, some apart from it. Their total tells which.
  const isApart = count(value["totalTokens"]) >= input + cached + output;
  return { input: isApart ? input + cached : input, cached: read, output };
}

/** The model that wrote most; agents use others for titles and choices. */
function busiest(models: readonly unknown[]): string | undefined {
  const written = models.filter(isObject).flatMap(({ model, token_count }) => {
    const tokens = readTokens(token_count);
    return typeof model === "string" && tokens !== undefined ? [{ model, tokens }] : [];
  });
  return written.sort((a, b) => b.tokens.input - a.tokens.input)[0]?.model;
}

const sum = (a: Tokens, b: Tokens): Tokens => ({
  input: a.input + b.input,
  cached: a.cached + b.cached,
  output: a.output + b.output,
});

const isLess = (a: Tokens, b: Tokens): boolean => a.input + a.output < b.input + b.output;

const count = (value: unknown): number =>
  typeof value === "number" && Number.isFinite(value) && value > 0 ? Math.round(value) : 0;

/** An object in an object, or an empty one. */
export const objectIn = (
  value: Readonly<Record<string, unknown>>,
  name: string,
): Readonly<Record<string, unknown>> => {
  const inner = value[name];
  return isObject(inner) ? inner : {};
};
