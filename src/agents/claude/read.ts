import { type Fields, fieldsOf, isoOf, listOf, numberOf, parseFields, textOf } from "../json.ts";
import { addTokens, type AgentEvent, NO_TOKENS, type Tokens } from "../port.ts";
import { other, resultOf, type Said, step, type Step, toolCall } from "../reading.ts";

/** What the agent has said so far. */
export interface Heard {
  readonly model: string | undefined;
  /** The model's last message. */
  readonly text: string;
  /** Tokens of all calls before `call`. */
  readonly before: Tokens;
  readonly calls: number;
  readonly call: { readonly id: string; readonly tokens: Tokens; readonly characters: number };
  /** A usage limit was reached. */
  readonly rejected: { readonly resetsAt: string | undefined } | undefined;
  /** The client's own name for what went wrong. */
  readonly error: string | undefined;
  readonly result: Fields | undefined;
}

export const NOTHING_HEARD: Heard = {
  model: undefined,
  text: "",
  before: NO_TOKENS,
  calls: 0,
  call: { id: "", tokens: NO_TOKENS, characters: 0 },
  rejected: undefined,
  error: undefined,
  result: undefined,
};

/** One line of `--output-format stream-json`. Qwen Code's has the same shape. */
export function readLine(state: Heard, line: string): Step<Heard> {
  const said = parseFields(line);
  switch (said?.["type"]) {
    case "system":
      return readSystem(state, said);
    case "assistant":
      return readMessage(state, said);
    case "user":
      return step(state, blocksIn(said).map(readResult));
    case "rate_limit_event":
      return readLimit(state, said);
    case "result":
      return step({ ...state, result: said }, said["is_error"] === true ? [errorIn(said)] : []);
    default:
      return step(state, [other(said, line)]);
  }
}

const errorIn = ({ result, subtype }: Fields): Said => ({
  kind: "error",
  text: textOf(result) || (textOf(subtype) ?? ""),
});

function readSystem(state: Heard, said: Fields): Step<Heard> {
  if (said["subtype"] === "init") {
    const id = textOf(said["session_id"]);
    return step(
      { ...state, model: textOf(said["model"]) },
      id === undefined ? [] : [{ kind: "session", id }],
    );
  }
  if (said["subtype"] !== "api_retry") return step(state, [other(said)]);
  const of = numberOf(said["max_retries"]);
  const status = numberOf(said["error_status"]);
  const retry: AgentEvent = {
    kind: "retry",
    attempt: numberOf(said["attempt"]) ?? 1,
    ...(of === undefined ? {} : { of }),
    ...(status === undefined ? {} : { status }),
  };
  return step(state, [retry, other(said)]);
}

function readLimit(state: Heard, said: Fields): Step<Heard> {
  const info = fieldsOf(said["rate_limit_info"]);
  const resetsAt = isoOf(info["resetsAt"]);
  // A call after a rejection may succeed, for example with extra credit.
  const rejected = info["status"] === "rejected" ? { resetsAt } : undefined;
  const quota: AgentEvent = { kind: "quota", ...(resetsAt && { resetsAt }) };
  const isNear = info["status"] === "allowed_warning";
  return step({ ...state, rejected }, [...(isNear ? [quota] : []), other(said)]);
}

/** Marks the client's own message about an error, which does not come from the model. */
const SYNTHETIC = "<synthetic>";

function readMessage(state: Heard, said: Fields): Step<Heard> {
  const message = fieldsOf(said["message"]);
  const model = textOf(message["model"]);
  const blocks = blocksIn(said);
  const text = blocks.flatMap((block) => textOf(block["text"]) ?? []).join("\n");
  if (model === SYNTHETIC) {
    const error = textOf(said["error"]) ?? state.error;
    return step({ ...state, error }, [{ kind: "error", text }]);
  }
  const counted = countCall(state, message, JSON.stringify(blocks).length);
  const next: Heard = {
    ...counted,
    // A retry succeeded, so the earlier error no longer matters.
    error: undefined,
    model: model ?? state.model,
    text: text.trim() === "" ? state.text : text,
  };
  return step(next, [...blocks.flatMap(readBlock), { kind: "usage", usage: usageOf(next) }]);
}

function blocksIn(said: Fields): readonly Fields[] {
  const { content } = fieldsOf(said["message"]);
  return typeof content === "string" ? [{ type: "text", text: content }] : listOf(content);
}

function readBlock(block: Fields): readonly Said[] {
  const text = textOf(block["text"]);
  if (block["type"] === "text" && text !== undefined) return [{ kind: "text", text }];
  if (block["type"] === "thinking")
    return [{ kind: "thought", text: textOf(block["thinking"]) ?? "" }];
  return block["type"] === "tool_use"
    ? toolCall(textOf(block["name"]) ?? "tool", block["input"])
    : [];
}

/** What a tool returned, or what the client told the model. */
const readResult = (block: Fields): Said =>
  resultOf(block["content"] ?? block["text"], block["is_error"] === true);

/**
 * A model call comes as several messages, one per block, all with the usage from the start of the call. That leaves out
 * most of the output, so we estimate four characters per token until the result has the real number.
 */
function countCall(state: Heard, message: Fields, characters: number): Heard {
  const id = textOf(message["id"]) ?? "";
  const tokens = tokensOf(fieldsOf(message["usage"]));
  if (id === state.call.id && state.calls > 0) {
    return { ...state, call: { id, tokens, characters: state.call.characters + characters } };
  }
  return {
    ...state,
    before: addTokens(state.before, tokensInCall(state)),
    calls: state.calls + 1,
    call: { id, tokens, characters },
  };
}

const tokensInCall = ({ call: { tokens, characters } }: Heard): Tokens => ({
  ...tokens,
  output: Math.max(tokens.output, Math.ceil(characters / 4)),
});

export function usageOf(state: Heard): { tokens: Tokens; model?: string; calls: number } {
  const { model, before, calls } = state;
  const tokens = addTokens(before, tokensInCall(state));
  return { tokens, calls, ...(model === undefined ? {} : { model }) };
}

/** The service counts cached tokens separately. */
function tokensOf(usage: Fields): Tokens {
  const cached = numberOf(usage["cache_read_input_tokens"]) ?? 0;
  const written = numberOf(usage["cache_creation_input_tokens"]) ?? 0;
  return {
    input: (numberOf(usage["input_tokens"]) ?? 0) + cached + written,
    cached,
    output: numberOf(usage["output_tokens"]) ?? 0,
  };
}

/** The same for one model in the result, which also includes the client's own calls. */
const tokensOfModel = (usage: Fields): Tokens =>
  tokensOf({
    cache_read_input_tokens: usage["cacheReadInputTokens"],
    cache_creation_input_tokens: usage["cacheCreationInputTokens"],
    input_tokens: usage["inputTokens"],
    output_tokens: usage["outputTokens"],
  });

export function tokensOfResult(result: Fields): Tokens {
  const models = Object.values(fieldsOf(result["modelUsage"])).map(fieldsOf);
  return models.length === 0
    ? tokensOf(fieldsOf(result["usage"]))
    : models.map(tokensOfModel).reduce(addTokens);
}
