import { type Fields, fieldsOf, isoOf, listOf, numberOf, parseFields, textOf } from "../json.ts";
import { type AgentEvent, NO_TOKENS, type Tokens } from "../port.ts";
import type { Step } from "../process/headless.ts";
import { titleOfTool } from "../tool-title.ts";

/** What a run has said so far. */
export interface Heard {
  readonly model: string | undefined;
  /** The last words of the model. */
  readonly text: string;
  /** Of the calls before the one that `call` is about. */
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

/** One line of `--output-format stream-json`. */
export function readLine(state: Heard, line: string): Step<Heard> {
  const said = parseFields(line);
  switch (said?.["type"]) {
    case "system":
      return readSystem(state, said);
    case "assistant":
      return readMessage(state, said);
    case "rate_limit_event":
      return readLimit(state, fieldsOf(said["rate_limit_info"]));
    case "result":
      return { state: { ...state, result: said }, events: [] };
    default:
      return { state, events: [] };
  }
}

function readSystem(state: Heard, said: Fields): Step<Heard> {
  if (said["subtype"] === "init") {
    const id = textOf(said["session_id"]);
    return {
      state: { ...state, model: textOf(said["model"]) },
      events: id === undefined ? [] : [{ kind: "session", id }],
    };
  }
  if (said["subtype"] !== "api_retry") return { state, events: [] };
  const of = numberOf(said["max_retries"]);
  const status = numberOf(said["error_status"]);
  const retry: AgentEvent = {
    kind: "retry",
    attempt: numberOf(said["attempt"]) ?? 1,
    ...(of === undefined ? {} : { of }),
    ...(status === undefined ? {} : { status }),
  };
  return { state, events: [retry] };
}

function readLimit(state: Heard, info: Fields): Step<Heard> {
  const resetsAt = isoOf(info["resetsAt"]);
  if (info["status"] === "rejected")
    return { state: { ...state, rejected: { resetsAt } }, events: [] };
  // Asked again after a rejection, say with credit of its own, it may be let through.
  const allowed: Heard = { ...state, rejected: undefined };
  if (info["status"] !== "allowed_warning") return { state: allowed, events: [] };
  return { state: allowed, events: [{ kind: "quota", ...(resetsAt && { resetsAt }) }] };
}

/** The client's own, about an error: nothing that the model said. */
const SYNTHETIC = "<synthetic>";

function readMessage(state: Heard, said: Fields): Step<Heard> {
  const message = fieldsOf(said["message"]);
  const model = textOf(message["model"]);
  if (model === SYNTHETIC) {
    return { state: { ...state, error: textOf(said["error"]) ?? state.error }, events: [] };
  }
  const blocks = listOf(message["content"]);
  const text = blocks.flatMap((block) => textOf(block["text"]) ?? []).join("\n");
  const counted = countCall(state, message, JSON.stringify(blocks).length);
  const next: Heard = {
    ...counted,
    // After a retry that went well, the error before it is history.
    error: undefined,
    model: model ?? state.model,
    text: text.trim() === "" ? state.text : text,
  };
  const events: AgentEvent[] = blocks.flatMap(eventsOf);
  return { state: next, events: [...events, { kind: "usage", usage: usageOf(next) }] };
}

function eventsOf(block: Fields): AgentEvent[] {
  const text = textOf(block["text"]);
  if (block["type"] === "text" && text !== undefined) return [{ kind: "text", text }];
  return block["type"] === "tool_use"
    ? [
        {
          kind: "tool",
          title: titleOfTool(textOf(block["name"]) ?? "tool", fieldsOf(block["input"])),
        },
      ]
    : [];
}

/**
 * A call of the model comes as several messages, one for each block, all with the usage from the beginning of the
 * call. What it has written by then is not in it: four characters are a token until the end says better.
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

/** The service counts what came from the cache apart. */
function tokensOf(usage: Fields): Tokens {
  const cached = numberOf(usage["cache_read_input_tokens"]) ?? 0;
  const written = numberOf(usage["cache_creation_input_tokens"]) ?? 0;
  return {
    input: (numberOf(usage["input_tokens"]) ?? 0) + cached + written,
    cached,
    output: numberOf(usage["output_tokens"]) ?? 0,
  };
}

/** The same of a model in the result, which also has the client's own calls. */
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

const addTokens = (one: Tokens, other: Tokens): Tokens => ({
  input: one.input + other.input,
  cached: one.cached + other.cached,
  output: one.output + other.output,
});
