import { type Fields, fieldsOf, textOf } from "../agents/json.ts";
import { MAX_SESSION } from "../run/loop.ts";
import type { Answer, Environment, Host, HostEvent, HostPrompt, HostStop } from "./host.ts";

/** What most clients have copied from the first one: the names of fields in events, and the form of answers. */

type Read<T> = (input: unknown, env: Environment) => T | undefined;

/** How a client names the folder where a session was started, a variable, and the session, a field. */
export function eventsOf(projectFolder = "", session = "session_id") {
  /** Whose event it is, and where; undefined for anything that is not an event. */
  const eventOf: Read<HostEvent> = (input, env) => {
    const fields = fieldsOf(input);
    const cwd = textOf(fields["cwd"]);
    if (!cwd) return undefined;
    const sessionId = textOf(fields[session])?.slice(0, MAX_SESSION) ?? null;
    return { sessionId, cwd, ...given("projectFolder", env[projectFolder]) };
  };
  const read =
    <T>(parse: (event: HostEvent, fields: Fields, env: Environment) => T | undefined): Read<T> =>
    (input, env) => {
      const event = eventOf(input, env);
      return event === undefined ? undefined : parse(event, fieldsOf(input), env);
    };
  return { eventOf, read };
}

/** A field with a text, if there is one. */
export const given = <K extends string>(key: K, value: unknown): { readonly [key in K]?: string } =>
  (typeof value === "string" && value !== "" ? { [key]: value } : {}) as { [key in K]?: string };

export const transcriptIn = (fields: Fields): { readonly transcript?: string } =>
  given("transcript", fields["transcript_path"]);

export const stopIn = (event: HostEvent, fields: Fields): HostStop => ({
  ...event,
  continuing: fields["stop_hook_active"] === true,
  // Null means that the agent said nothing; absent means that the client does not send it.
  ...("last_assistant_message" in fields
    ? { message: textOf(fields["last_assistant_message"]) ?? null }
    : {}),
  ...transcriptIn(fields),
  agentsRunning: 0,
});

/** A command begins with a slash. */
export const promptIn = (event: HostEvent, text: string): HostPrompt => ({
  ...event,
  text,
  tellsCommands: false,
  typed: !/^\s*\//.test(text),
  isNotification: false,
});

export const failureIn = (event: HostEvent, fields: Fields) => {
  const parts = [fields["error"], fields["error_details"] ?? fields["last_assistant_message"]];
  return { ...event, error: parts.map(textOf).filter(Boolean).join(": ") || "unknown error" };
};

/** Nothing at all where there is nothing to say: undefined fields are left out. */
export const formatFields = (fields: Fields): string => {
  const text = JSON.stringify(fields);
  return text === "{}" ? "" : text;
};

export const formatBlock = ({ reason, say }: Answer): string =>
  formatFields({
    decision: reason === undefined ? undefined : "block",
    reason,
    systemMessage: say,
  });

/** What a hook adds to the conversation at an event. */
export const addContext = (hookEventName: string, additionalContext: string | undefined) =>
  additionalContext === undefined ? undefined : { hookEventName, additionalContext };

const EVENTS = {
  prompt: "UserPromptSubmit",
  start: "SessionStart",
  return: "PostToolUse",
} as const;

export const formatNotice: NonNullable<Host["wire"]["formatNotice"]> = (event, say, context) =>
  formatFields({ systemMessage: say, hookSpecificOutput: addContext(EVENTS[event], context) });
