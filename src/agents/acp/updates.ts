import { hash } from "../../text/hash.ts";
import { oneLine } from "../../text/template.ts";
import { type Fields, fieldsOf, listOf, numberOf, textOf } from "../json.ts";
import type { AgentEvent, Usage } from "../port.ts";
import { MAX_TITLE, resultOf, type Said, step, type Step, toldEdits } from "../reading.ts";
import { addUpdate, NO_USAGE } from "./usage.ts";

/** What an agent has sent in its turn so far. */
export interface Heard {
  /** The message in progress, or the last one. */
  readonly message: string;
  readonly messageId: string | undefined;
  /** Whether the message has been passed on as an event. */
  readonly isReported: boolean;
  /** Messages since a tool was last used. */
  readonly messages: number;
  /** Running tools by id. */
  readonly tools: ReadonlyMap<string, Tool>;
  /** Whether the model has said or done anything at all. */
  readonly hasAnswered: boolean;
  /** Whether a tool was used. */
  readonly hasWorked: boolean;
  readonly usage: Usage;
  /** The last problem that the agent reported while it was retrying. */
  readonly trouble: string | undefined;
  readonly retries: number;
}

interface Tool {
  readonly title: string;
  readonly isReported: boolean;
  /** Of the last update about it. */
  readonly fingerprint: string;
}

export const NOTHING_HEARD: Heard = {
  message: "",
  messageId: undefined,
  isReported: true,
  messages: 0,
  tools: new Map(),
  hasAnswered: false,
  hasWorked: false,
  usage: NO_USAGE,
  trouble: undefined,
  retries: 0,
};

/** A longer report loses its beginning: what counts is at the end. */
const MAX_MESSAGE = 200_000;
const MAX_TOOLS = 1000;

/**
 * OpenCode shortens its context forever if the service keeps rejecting it as too long. Each time the model writes a
 * message, and no tool is used.
 */
const MAX_MESSAGES = 10;

export const isLooping = ({ messages }: Heard): boolean => messages > MAX_MESSAGES;

/** Reads a message: an update, or a permission request, which some agents send instead of reporting the tool call. */
export function hear(heard: Heard, message: Fields): Step<Heard> {
  const params = fieldsOf(message["params"]);
  switch (message["method"]) {
    case "session/update":
      return hearUpdate(heard, fieldsOf(params["update"]));
    case "session/request_permission":
      return hearTool(heard, { ...fieldsOf(params["toolCall"]), status: "in_progress" });
    default:
      return hearAnswer(heard, textOf(fieldsOf(message["error"])["message"]));
  }
}

const hearAnswer = (heard: Heard, error: string | undefined): Step<Heard> =>
  error === undefined
    ? step(heard)
    : step({ ...heard, isReported: true }, [...unreported(heard), { kind: "error", text: error }]);

function hearUpdate(before: Heard, update: Fields): Step<Heard> {
  const usage = addUpdate(before.usage, update);
  if (usage === undefined) return hearKind(before, update);
  const { state, said } = hearKind({ ...before, usage }, update);
  return step(state, [...said, { kind: "usage", usage }]);
}

function hearKind(heard: Heard, update: Fields): Step<Heard> {
  switch (update["sessionUpdate"]) {
    case "agent_message_chunk":
      return hearChunk(heard, update);
    case "agent_thought_chunk":
    case "plan": {
      const text = textOf(fieldsOf(update["content"])["text"]) ?? "";
      return step({ ...heard, hasAnswered: true }, [{ kind: "thought", text, more: true }]);
    }
    case "tool_call":
    case "tool_call_update":
      return hearTool(heard, update);
    default:
      return hearTrouble(heard, update);
  }
}

/** Gemini CLI reports a change of mode as if the model had said it. */
const MODE_UPDATE = "[MODE_UPDATE]";

function hearChunk(heard: Heard, update: Fields): Step<Heard> {
  const text = textOf(fieldsOf(update["content"])["text"]) ?? "";
  if (text === "" || text.startsWith(MODE_UPDATE)) return step(heard);
  const id = textOf(update["messageId"]);
  const isNew = heard.isReported || (id !== undefined && id !== heard.messageId);
  const message = isNew ? text : heard.message + text;
  const next: Heard = {
    ...heard,
    message: message.slice(-MAX_MESSAGE),
    messageId: id,
    isReported: false,
    messages: heard.messages + (isNew ? 1 : 0),
    hasAnswered: true,
  };
  return step(next, isNew ? unreported(heard) : []);
}

/** Messages come in pieces, and are passed on as an event when the next thing begins. */
export const unreported = ({ isReported, message }: Heard): AgentEvent[] =>
  isReported || message.trim() === "" ? [] : [{ kind: "text", text: message }];

function hearTool(heard: Heard, call: Fields): Step<Heard> {
  const id = String(call["toolCallId"] ?? "");
  const known = heard.tools.get(id);
  const title = titleOf(call) || known?.title || "";
  const status = call["status"];
  const isOver = status === "completed" || status === "failed";
  // A pending call may not have its arguments yet.
  const isDue = known?.isReported !== true && title !== "" && (isOver || status === "in_progress");
  const tools = new Map(heard.tools);
  tools.delete(id);
  if (!isOver && tools.size < MAX_TOOLS)
    tools.set(id, {
      title,
      isReported: isDue || known?.isReported === true,
      fingerprint: fingerprintOf(call),
    });
  return step(
    { ...heard, isReported: true, messages: 0, tools, hasAnswered: true, hasWorked: true },
    [
      ...unreported(heard),
      ...(isDue ? [{ kind: "tool", title } as const] : []),
      ...editsIn(call),
      ...(isOver ? [resultIn(call)] : []),
    ],
  );
}

function resultIn({ status, content }: Fields): Said {
  const isError = status === "failed";
  const parts = listOf(content).map((one) => fieldsOf(one["content"]));
  const { kind, text } = resultOf(parts, isError);
  return { kind, text: text === "" && isError ? "failed" : text };
}

const EDITS = new Set<unknown>(["edit", "delete", "move"]);

/** Some name the file only with the change itself, some only in a later update. */
const editsIn = ({ kind, locations, content }: Fields): AgentEvent[] =>
  toldEdits([
    ...(EDITS.has(kind) ? listOf(locations).map(({ path }) => textOf(path)) : []),
    ...listOf(content).map(({ type, path }) => (type === "diff" ? textOf(path) : undefined)),
  ]);

function titleOf(call: Fields): string {
  const title = oneLine(textOf(call["title"]) ?? "", MAX_TITLE);
  const path = textOf(listOf(call["locations"])[0]?.["path"]);
  if (call["kind"] === "execute" || path === undefined) return title;
  const file = oneLine(path.split(/[/\\]/).at(-1) ?? "");
  return title.includes(file) ? title : `${title} ${file}`;
}

/** A failure that the agent reports while it continues: a notice or, from Codex, an error in the session's details. */
function hearTrouble(heard: Heard, update: Fields): Step<Heard> {
  const { sessionUpdate, severity, title, description } = update;
  if (sessionUpdate === "notice" && severity === "error") {
    const trouble = `${title} ${description ?? ""}`.trim();
    return step({ ...heard, trouble }, [{ kind: "error", text: trouble }]);
  }
  const errors = Object.values(fieldsOf(update["_meta"])).map((value) =>
    fieldsOf(fieldsOf(value)["error"]),
  );
  const { message, httpStatusCode } = errors.find((one) => textOf(one["message"])) ?? {};
  if (message === undefined) return step(heard);
  const attempt = heard.retries + 1;
  const status = numberOf(httpStatusCode);
  const trouble = [status, message].join(" ").trim();
  return step({ ...heard, trouble, retries: attempt }, [
    { kind: "retry", attempt, ...(status === undefined ? {} : { status }) },
    { kind: "error", text: trouble },
  ]);
}

/** Sent at the start or now and then, whatever the agent is doing. */
const IDLE = new Set<unknown>([
  "available_commands_update",
  "config_option_update",
  "current_mode_update",
  "session_info_update",
  "user_message_chunk",
]);

/**
 * Whether a message shows progress: an update on the work, a question or an answer. Heartbeats do not count, nor do
 * reports that a tool is still running, which Qwen Code sends every 20 seconds with the time.
 */
export function isSignOfLife({ tools }: Heard, message: Fields): boolean {
  if ("id" in message) return true;
  const update = fieldsOf(fieldsOf(message["params"])["update"]);
  if (message["method"] !== "session/update" || IDLE.has(update["sessionUpdate"])) return false;
  const known = tools.get(String(update["toolCallId"]));
  return known === undefined || known.fingerprint !== fingerprintOf(update);
}

const CLOCK = /^(?:elapsed|duration|time)|(?:Elapsed|Duration|Age|Time)(?:Ms|Seconds)?$/;

/** The same for two updates that differ only in the time. */
const fingerprintOf = (update: Fields): string =>
  hash(JSON.stringify(update, (name, value: unknown) => (CLOCK.test(name) ? undefined : value)));
