import { type Fields, fieldsOf, listOf, numberOf } from "../json.ts";
import { addTokens, NO_TOKENS, type Tokens, type Usage } from "../port.ts";

export const NO_USAGE: Usage = { tokens: NO_TOKENS };

export const hasUsage = ({ tokens, usd = 0 }: Usage): boolean =>
  tokens.input > 0 || tokens.output > 0 || usd > 0;

/** The usage after an update. Undefined if the update says nothing about usage. */
export function addUpdate(usage: Usage, update: Fields): Usage | undefined {
  if (update["sessionUpdate"] === "usage_update") {
    // `used` is the size of the context, not what was spent. The cost is for the session, which only we use.
    const { amount, currency } = fieldsOf(update["cost"]);
    // Agents report zero for a model whose price they do not know.
    const isReported = typeof amount === "number" && amount > 0 && currency === "USD";
    return isReported ? { ...usage, usd: amount } : undefined;
  }
  // Qwen Code sends one per model call.
  const call = readTokens(fieldsOf(fieldsOf(update["_meta"])["usage"]));
  if (call === undefined) return undefined;
  const { tokens, calls = 0 } = usage;
  return { ...usage, tokens: addTokens(tokens, call), calls: calls + 1 };
}

/** The answer to the prompt says what the turn used, or less: OpenCode reports only the last call. */
export function addResponse(usage: Usage, response: Fields): Usage {
  const { token_count, model_usage } = fieldsOf(fieldsOf(response["_meta"])["quota"]);
  const said = readTokens(response["usage"]) ?? readTokens(token_count);
  const model = busiest(listOf(model_usage));
  if (said === undefined || isNoMore(said, usage.tokens)) return usage;
  return { ...usage, tokens: said, ...(model === undefined ? {} : { model }) };
}

function readTokens(value: unknown): Tokens | undefined {
  const said = fieldsOf(value);
  const input = count(said["inputTokens"] ?? said["input_tokens"]);
  const output = count(said["outputTokens"] ?? said["output_tokens"]);
  const read = count(said["cachedReadTokens"]);
  const cached = read + count(said["cachedWriteTokens"]);
  if (input + output + cached === 0) return undefined;
  // Some agents count cached tokens as input, some separately. The total shows which.
  const isApart = count(said["totalTokens"]) >= input + cached + output;
  return { input: isApart ? input + cached : input, cached: read, output };
}

/** The model with the most input; agents use others for titles and small decisions. */
function busiest(models: readonly Fields[]): string | undefined {
  const used = models.flatMap(({ model, token_count }) => {
    const tokens = readTokens(token_count);
    return typeof model === "string" && tokens !== undefined ? [{ model, tokens }] : [];
  });
  return used.sort((a, b) => b.tokens.input - a.tokens.input)[0]?.model;
}

const isNoMore = (a: Tokens, b: Tokens): boolean => a.input + a.output <= b.input + b.output;

const count = (value: unknown): number => Math.round(Math.max(0, numberOf(value) ?? 0));
