import { hash } from "../../text/hash.ts";
import { oneLine } from "../../text/template.ts";
import { type Fields, fieldsOf, listOf, numberOf, textOf } from "../json.ts";
import type { AgentEvent, Usage } from "../port.ts";
import { addUpdate, NO_USAGE } from "./usage.ts";

/** What an agent has said in its turn so far. */
export interface Heard {
  /** The message that it is writing, or wrote last. */
  readonly message: string;
  readonly messageId: string | undefined;
  /** Whether the message has been told. */
  readonly isTold: boolean;
  /** Messages since a tool was last used. */
  readonly messages: number;
  /** Tools that are running, by id, with what was told of them. */
  readonly tools: ReadonlyMap<string, Tool>;
  /** Whether the model has said or done anything at all. */
  readonly hasAnswered: boolean;
  /** Whether a tool was used. */
  readonly hasWorked: boolean;
  readonly usage: Usage;
  /** What went wrong last, as the agent told it while it tried again. */
  readonly trouble: string | undefined;
  readonly retries: number;
}

interface Tool {
  readonly title: string;
  readonly isTold: boolean;
  /** What was last said of it. */
  readonly said: string;
}

export const NOTHING_HEARD: Heard = {
  message: "",
  messageId: undefined,
  isTold: true,
  messages: 0,
  tools: new Map(),
  hasAnswered: false,
  hasWorked: false,
  usage: NO_USAGE,
  trouble: undefined,
  retries: 0,
};

export interface Step {
  readonly heard: Heard;
  readonly events: readonly AgentEvent[];
}

/** A report of more than this is cut at its beginning: what counts is at its end. */
const MAX_MESSAGE = 200_000;
const MAX_TOOLS = 1000;

/**
 * OpenCode shrinks its context for ever if the service keeps refusing it as too long; each time the model says something,
 * and no tool is used.
 */
const MAX_MESSAGES = 10;

export const isGoingRound = ({ messages }: Heard): boolean => messages > MAX_MESSAGES;

/** Hears a message of the agent's: an update, or a question whether it may use a tool, which some ask instead of telling. */
export function hear(heard: Heard, message: Fields): Step {
  const params = fieldsOf(message["params"]);
  switch (message["method"]) {
    case "session/update":
      return hearUpdate(heard, fieldsOf(params["update"]));
    case "session/request_permission":
      return hearTool(heard, { ...fieldsOf(params["toolCall"]), status: "in_progress" });
    default:
      return { heard, events: [] };
  }
}

function hearUpdate(before: Heard, update: Fields): Step {
  const usage = addUpdate(before.usage, update);
  const heard = usage === undefined ? before : { ...before, usage };
  const spent: AgentEvent[] = usage === undefined ? [] : [{ kind: "usage", usage }];
  const { heard: after, events } = hearKind(heard, update);
  return { heard: after, events: [...events, ...spent] };
}

function hearKind(heard: Heard, update: Fields): Step {
  switch (update["sessionUpdate"]) {
    case "agent_message_chunk":
      return hearChunk(heard, update);
    case "agent_thought_chunk":
    case "plan":
      return { heard: { ...heard, hasAnswered: true }, events: [] };
    case "tool_call":
    case "tool_call_update":
      return hearTool(heard, update);
    default:
      return hearTrouble(heard, update);
  }
}

function hearChunk(heard: Heard, update: Fields): Step {
  const { text } = fieldsOf(update["content"]);
  if (typeof text !== "string" || text === "") return { heard, events: [] };
  const id = textOf(update["messageId"]);
  const isNew = heard.isTold || (id !== undefined && id !== heard.messageId);
  const message = isNew ? text : heard.message + text;
  return {
    events: isNew ? untold(heard) : [],
    heard: {
      ...heard,
      message: message.slice(-MAX_MESSAGE),
      messageId: id,
      isTold: false,
      messages: heard.messages + (isNew ? 1 : 0),
      hasAnswered: true,
    },
  };
}

/** Messages come in pieces, and are told when the next thing begins. */
export const untold = ({ isTold, message }: Heard): AgentEvent[] =>
  isTold || message.trim() === "" ? [] : [{ kind: "text", text: message }];

function hearTool(heard: Heard, call: Fields): Step {
  const id = String(call["toolCallId"] ?? "");
  const known = heard.tools.get(id);
  const title = titleOf(call) || known?.title || "";
  const status = call["status"];
  const isOver = status === "completed" || status === "failed";
  // While it is pending, its arguments may not be there yet.
  const isDue = known?.isTold !== true && title !== "" && (isOver || status === "in_progress");
  const tools = new Map(heard.tools);
  tools.delete(id);
  if (!isOver && tools.size < MAX_TOOLS)
    tools.set(id, { title, isTold: isDue || known?.isTold === true, said: printOf(call) });
  return {
    events: [...untold(heard), ...(isDue ? [{ kind: "tool", title } as const] : [])],
    heard: { ...heard, isTold: true, messages: 0, tools, hasAnswered: true, hasWorked: true },
  };
}

function titleOf(call: Fields): string {
  const title = oneLine(textOf(call["title"]) ?? "");
  const path = textOf(listOf(call["locations"])[0]?.["path"]);
  if (call["kind"] === "execute" || path === undefined) return title;
  const file = oneLine(path.split(/[/\\]/).at(-1) ?? "");
  return title.includes(file) ? title : `${title} ${file}`;
}

/** A failure that the agent tells of while it goes on: a notice, or an error among the session's details, as of Codex. */
function hearTrouble(heard: Heard, update: Fields): Step {
  const { sessionUpdate, severity, title, description } = update;
  if (sessionUpdate === "notice" && severity === "error")
    return { heard: { ...heard, trouble: `${title} ${description ?? ""}`.trim() }, events: [] };
  const errors = Object.values(fieldsOf(update["_meta"])).map((value) =>
    fieldsOf(fieldsOf(value)["error"]),
  );
  const { message, httpStatusCode } = errors.find((one) => textOf(one["message"])) ?? {};
  if (message === undefined) return { heard, events: [] };
  const attempt = heard.retries + 1;
  const status = numberOf(httpStatusCode);
  return {
    heard: { ...heard, trouble: [status, message].join(" ").trim(), retries: attempt },
    events: [{ kind: "retry", attempt, ...(status === undefined ? {} : { status }) }],
  };
}

/** Sent at the start or now and then, whatever the agent does. */
const IDLE = new Set<unknown>([
  "available_commands_update",
  "config_option_update",
  "current_mode_update",
  "session_info_update",
  "user_message_chunk",
]);

/**
 * Whether it goes on: an update on the work, a question, an answer. Not whatever else an agent sends to be heard of, and
 * not that a tool is still running: Qwen Code says so every 20 seconds, with the time.
 */
export function isLife({ tools }: Heard, message: Fields): boolean {
  if ("id" in message) return true;
  const update = fieldsOf(fieldsOf(message["params"])["update"]);
  if (message["method"] !== "session/update" || IDLE.has(update["sessionUpdate"])) return false;
  const known = tools.get(String(update["toolCallId"]));
  return known === undefined || known.said !== printOf(update);
}

const CLOCK = /^(?:elapsed|duration|time)|(?:Elapsed|Duration|Age|Time)(?:Ms|Seconds)?$/;

/** The same for two updates in which nothing but the time differs. */
const printOf = (update: Fields): string =>
  hash(JSON.stringify(update, (name, value: unknown) => (CLOCK.test(name) ? undefined : value)));
