import { oneLine } from "../../text/template.ts";
import { beginEstimate, countCall, countHeard, countWritten, type Estimate } from "../estimate.ts";
import { type Fields, fieldsOf, listOf, numberOf, parseFields, textOf } from "../json.ts";
import type { AgentEvent, Tokens, Usage } from "../port.ts";
import { MAX_TITLE, other, resultOf, type Said, step, type Step, toldEdits } from "../reading.ts";

/** What the agent has said so far. */
export interface Heard {
  /** The model's last message. */
  readonly text: string;
  /** What it reports at the end of a turn, and only if the turn succeeded. */
  readonly used: Tokens | undefined;
  readonly guess: Estimate;
  /** The next item answers a new model call. */
  readonly isAsked: boolean;
  readonly started: ReadonlySet<string>;
  readonly commands: number;
  /** Why its sandbox cannot start. */
  readonly noSandbox: string | undefined;
  /** The last error that it has not recovered from. */
  readonly failure: string | undefined;
  readonly end: "completed" | "failed" | undefined;
}

/** Tokens of the client's own instructions and tools. */
const OWN_CONTEXT = 7000;

export const beginHeard = (characters: number): Heard => ({
  text: "",
  used: undefined,
  guess: countHeard(beginEstimate(OWN_CONTEXT), characters),
  isAsked: true,
  started: new Set(),
  commands: 0,
  noSandbox: undefined,
  failure: undefined,
  end: undefined,
});

export const usageOf = ({ used, guess }: Heard): Usage => ({
  tokens: used ?? guess.tokens,
  calls: guess.calls,
});

/** One line of `codex exec --json`. */
export function readLine(state: Heard, line: string): Step<Heard> {
  const said = parseFields(line);
  switch (said?.["type"]) {
    case "thread.started": {
      const id = textOf(said["thread_id"]);
      return step(state, id === undefined ? [] : [{ kind: "session", id }]);
    }
    case "item.started":
    case "item.completed":
      return readItem(state, fieldsOf(said["item"]), said["type"] === "item.completed");
    case "error":
      return readError(state, textOf(said["message"]) ?? "");
    case "turn.failed": {
      const failure = messageIn(textOf(fieldsOf(said["error"])["message"]) ?? "it failed");
      return step({ ...state, failure, end: "failed" }, [{ kind: "error", text: failure }]);
    }
    case "turn.completed": {
      const next: Heard = { ...state, used: tokensOf(fieldsOf(said["usage"])), end: "completed" };
      return step(next, [{ kind: "usage", usage: usageOf(next) }]);
    }
    case "turn.started":
    case "item.updated":
      return step(state);
    default:
      return step(state, [other(said, line)]);
  }
}

/** `input_tokens` includes cached tokens. */
const tokensOf = (usage: Fields): Tokens => ({
  input: numberOf(usage["input_tokens"]) ?? 0,
  cached: numberOf(usage["cached_input_tokens"]) ?? 0,
  output: numberOf(usage["output_tokens"]) ?? 0,
});

function readError(state: Heard, message: string): Step<Heard> {
  const [, attempt, of, why] = /^Reconnecting\W+(?:(\d+)\/(\d+)|[^(]+)(.*)$/s.exec(message) ?? [];
  const failure = messageIn(why?.replace(/^\s*\(|\)\s*$/g, "") ?? message);
  const error: Said = { kind: "error", text: why === undefined ? failure : message };
  if (why === undefined) return step({ ...state, failure }, [error]);
  const status = Number(/\bstatus:? (\d{3})\b/.exec(why)?.[1] ?? NaN);
  const retry: AgentEvent = {
    kind: "retry",
    attempt: Number(attempt ?? 1),
    ...(of === undefined ? {} : { of: Number(of) }),
    ...(Number.isNaN(status) ? {} : { status }),
  };
  return step({ ...state, failure }, [retry, error]);
}

/** Some errors are the service's answer, as JSON. */
function messageIn(text: string): string {
  const { error } = parseFields(text) ?? {};
  return textOf(fieldsOf(error)["message"]) ?? text;
}

/** The items that come from the model and not from the client, each with its title. */
const TITLES: Readonly<Record<string, (item: Fields) => string | undefined>> = {
  command_execution: (item) => bareCommand(textOf(item["command"]) ?? "a command"),
  file_change: (item) => `edit ${changedIn(item).join(", ")}`,
  mcp_tool_call: (item) =>
    [item["server"], item["tool"]].flatMap((part) => textOf(part) ?? []).join(" "),
  web_search: (item) => `search the web: ${textOf(item["query"]) ?? ""}`,
  agent_message: () => undefined,
};

const changedIn = (item: Fields): (string | undefined)[] =>
  listOf(item["changes"]).map(({ path }) => textOf(path));

function readItem(before: Heard, item: Fields, isDone: boolean): Step<Heard> {
  const titleOf = TITLES[textOf(item["type"]) ?? ""];
  if (titleOf === undefined) return step(before, isDone ? [readAside(item)] : []);
  const id = textOf(item["id"]) ?? "";
  const isNew = !before.started.has(id);
  const state = isNew ? beginItem(before, id, item) : before;
  const text = textOf(item["text"]);
  const title = titleOf(item);
  const said: Said[] = [];
  if (isNew && title !== undefined)
    said.push({ kind: "tool", title: oneLine(title, MAX_TITLE) }, ...toldEdits(changedIn(item)));
  if (text !== undefined && isDone) said.push({ kind: "text", text });
  if (isNew) said.push({ kind: "usage", usage: usageOf(state) });
  if (!isDone) return step(state, said);
  if (text !== undefined) return step({ ...state, text }, said);
  return step(endTool(state, item), [...said, ...readResult(item)]);
}

/** What the client says itself, or the model thinks. */
const readAside = (item: Fields): Said =>
  item["type"] === "reasoning"
    ? { kind: "thought", text: textOf(item["text"]) ?? "" }
    : other(item);

function readResult(item: Fields): Said[] {
  const code = numberOf(item["exit_code"]) ?? 0;
  const printed = item["aggregated_output"] ?? fieldsOf(item["result"])["content"];
  const exit: Said[] = code === 0 ? [] : [{ kind: "error", text: `exit ${code}` }];
  return [resultOf(printed, false), ...exit];
}

/** The model has answered, so earlier errors no longer matter. */
function beginItem(state: Heard, id: string, item: Fields): Heard {
  const guess = state.isAsked ? countCall(state.guess) : state.guess;
  const written = textOf(item["text"]) ?? textOf(item["command"]) ?? JSON.stringify(item);
  return {
    ...state,
    guess: countWritten(guess, written.length),
    isAsked: false,
    started: new Set([...state.started, id]),
    failure: undefined,
  };
}

/** Output that consists only of a sandbox's error: the command itself never ran. */
const NO_SANDBOX = /^(?:bwrap|sandbox-exec|codex-linux-sandbox): [^\n]*(?:\n\s*)?$/;

function endTool(state: Heard, item: Fields): Heard {
  const output = textOf(item["aggregated_output"]) ?? "";
  const isCommand = item["type"] === "command_execution";
  const isBroken =
    isCommand && state.commands === 0 && item["exit_code"] !== 0 && NO_SANDBOX.test(output);
  return {
    ...state,
    guess: countHeard(state.guess, output.length),
    isAsked: true,
    commands: state.commands + (isCommand ? 1 : 0),
    noSandbox: isBroken ? oneLine(output, 300) : state.noSandbox,
  };
}

/** The `ls` in `/bin/bash -lc 'ls'`: the shell is always the same. */
const bareCommand = (command: string): string =>
  /^\S*sh -l?c (['"])(.*)\1$/s.exec(command)?.[2] ?? command;
