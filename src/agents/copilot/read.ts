import { beginEstimate, countCall, countHeard, countWritten, type Estimate } from "../estimate.ts";
import { type Fields, fieldsOf, numberOf, parseFields, textOf } from "../json.ts";
import type { AgentEvent, Usage } from "../port.ts";
import { other, resultOf, step, type Step, toolCall } from "../reading.ts";

/** Why a model call failed. */
export interface Trouble {
  readonly type: string;
  readonly code: string;
  readonly status: number;
  readonly message: string;
  /** How many times it had been tried before. */
  readonly attempt: number;
}

/** What the agent has said so far. */
export interface Heard {
  readonly model: string | undefined;
  /** The model's last message. */
  readonly text: string;
  /** Its output does not say how many tokens it uses. */
  readonly guess: Estimate;
  /** A call failed, and it has not recovered. */
  readonly trouble: Trouble | undefined;
  /** It has given up. */
  readonly error: Trouble | undefined;
  readonly result: Fields | undefined;
}

/** Tokens of the client's own instructions and tools. */
const OWN_CONTEXT = 6000;

export const beginHeard = (characters: number): Heard => ({
  model: undefined,
  text: "",
  guess: countHeard(beginEstimate(OWN_CONTEXT), characters),
  trouble: undefined,
  error: undefined,
  result: undefined,
});

export const usageOf = ({ guess, model }: Heard): Usage => ({
  tokens: guess.tokens,
  calls: guess.calls,
  ...(model === undefined ? {} : { model }),
});

const tellUsage = (state: Heard, ...before: AgentEvent[]): Step<Heard> =>
  step(state, [...before, { kind: "usage", usage: usageOf(state) }]);

type Reader = (state: Heard, data: Fields) => Step<Heard>;

const READERS: Readonly<Record<string, Reader>> = {
  "model.call_start": (state, data) =>
    step({ ...state, model: textOf(data["model"]) ?? state.model }),
  "model.call_finished": (state, data) =>
    data["outcome"] === "success"
      ? tellUsage({ ...state, guess: countCall(state.guess) })
      : step(state),
  "model.call_failure": (state, data) =>
    step({ ...state, trouble: troubleIn(data) }, [other({ type: "model.call_failure", ...data })]),
  "assistant.turn_retry": (state) => {
    const status = state.trouble?.status ?? 0;
    const attempt = (state.trouble?.attempt ?? 0) + 1;
    return step(state, [{ kind: "retry", attempt, ...(status > 0 ? { status } : {}) }]);
  },
  "assistant.message": readMessage,
  "tool.execution_start": (state, data) =>
    step(state, toolCall(textOf(data["toolName"]) ?? "tool", data["arguments"])),
  "tool.execution_complete": (state, data) => {
    const { content } = fieldsOf(data["result"]);
    const { message } = fieldsOf(data["error"]);
    return step({ ...state, guess: hearTool(state, data) }, [
      resultOf(content || message, data["success"] === false),
    ]);
  },
  "session.info": (state, data) => step(state, [other({ type: "session.info", ...data })]),
  "session.error": (state, data) => {
    const error = troubleIn(data, state.trouble);
    return step({ ...state, error }, [{ kind: "error", text: error.message }]);
  },
};

/** It also reports its internal steps. */
const INTERNAL = /^(?:session|user|assistant|model|tool)\./;

/** One line of `--output-format json`. */
export function readLine(state: Heard, line: string): Step<Heard> {
  const said = parseFields(line);
  const type = textOf(said?.["type"]) ?? "";
  if (type === "result") {
    const id = textOf(said?.["sessionId"]);
    return step({ ...state, result: said }, id === undefined ? [] : [{ kind: "session", id }]);
  }
  const read = Object.hasOwn(READERS, type) ? READERS[type] : undefined;
  if (read !== undefined) return read(state, fieldsOf(said?.["data"]));
  return step(state, INTERNAL.test(type) ? [] : [other(said, line)]);
}

/** The model has answered, so earlier errors no longer matter. */
function readMessage(state: Heard, data: Fields): Step<Heard> {
  const text = textOf(data["content"]) ?? "";
  const requests = JSON.stringify(data["toolRequests"] ?? []);
  const next: Heard = {
    ...state,
    text: text.trim() === "" ? state.text : text,
    guess: countWritten(state.guess, text.length + requests.length),
    trouble: undefined,
    error: undefined,
  };
  return tellUsage(next, ...(text === "" ? [] : [{ kind: "text", text } as const]));
}

/** A tool's result comes with the size of the context. */
function hearTool({ guess }: Heard, data: Fields): Estimate {
  const { metrics } = fieldsOf(data["toolTelemetry"]);
  const context = numberOf(fieldsOf(metrics)["context_current_tokens"]);
  const { content } = fieldsOf(data["result"]);
  const heard = countHeard(guess, (textOf(content) ?? "").length);
  return context === undefined || context < 0 ? heard : { ...heard, context };
}

/** The final error may lack the code of the call that failed. */
function troubleIn(data: Fields, before?: Trouble): Trouble {
  return {
    type: textOf(data["errorType"]) ?? "",
    code: textOf(data["errorCode"]) ?? before?.code ?? "",
    status: numberOf(data["statusCode"]) ?? before?.status ?? 0,
    message: textOf(data["message"]) ?? textOf(data["errorMessage"]) ?? "it failed",
    attempt: numberOf(data["retryAttempt"]) ?? 0,
  };
}
