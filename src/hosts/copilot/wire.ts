import { isObject } from "../../text/schema.ts";
import type { Environment, Host, HostEvent } from "../host.ts";
import { text } from "../json.ts";
import { eventIn } from "../wire-event.ts";
import { BEFORE_ARGUMENTS } from "./command-file.ts";
import { environment } from "./environment.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * How each of our continuations begins: the client reports them like prompts of the user. In the gate too, which ignores
 * them.
 */
export const FROM_HOOK = "Smart Ralph, at the end of your turn:\n\n";

/** How the client reports a command file that the user chose; the file's text, with their words filled in, follows. */
const INVOKED = /^The user explicitly invoked the "(\/[\w:.-]+)" skill\./;

/** The client has events and prompts for sub-agents too. An agent writes what they are asked: it is not the user. */
function eventOf(input: unknown, env: Environment): HostEvent | undefined {
  if (isObject(input) && text(input["agent_id"]) !== undefined) return undefined;
  return eventIn(input, environment.projectFolder(env));
}

export const wire: Host["wire"] = {
  parseStop(input, env) {
    const event = eventOf(input, env);
    if (event === undefined) return undefined;
    const fields = input as Fields;
    const transcript = text(fields["transcript_path"]);
    const at = text(fields["timestamp"]);
    return {
      ...event,
      continuing: fields["stop_hook_active"] === true,
      ...(transcript === undefined ? {} : { transcript }),
      ...(at === undefined ? {} : { at }),
      agentsRunning: 0,
    };
  },

  /** Nothing but what keeps the agent going reaches anybody. */
  formatAnswer: ({ reason }) =>
    reason === undefined
      ? "{}"
      : JSON.stringify({ decision: "block", reason: `${FROM_HOOK}${reason}` }),

  parsePrompt(input, env) {
    const event = eventOf(input, env);
    if (event === undefined) return undefined;
    const prompt = text((input as Fields)["prompt"]) ?? "";
    if (prompt.startsWith(FROM_HOOK.trimEnd())) return undefined;
    const typed = typedIn(prompt);
    return {
      ...event,
      text: typed,
      tellsCommands: false,
      typed: !/^\s*\//.test(typed),
      isNotification: false,
    };
  },

  parseStart: eventOf,
  parseEnd: eventOf,

  parseFailure(input, env) {
    const event = eventOf(input, env);
    if (event === undefined) return undefined;
    const { error } = input as Fields;
    const message = isObject(error) ? text(error["message"]) : text(error);
    return { ...event, error: message ?? "unknown error" };
  },

  formatNotice: (_event, _say, context) =>
    context === undefined ? "" : JSON.stringify({ additionalContext: context }),
};

/** What the client itself adds. */
const AFTER_ARGUMENTS = "</skill-context>";

/** Headless, the prompt is what was typed; at a terminal, the client has put the command file in its place. */
function typedIn(prompt: string): string {
  const [, command] = INVOKED.exec(prompt) ?? [];
  if (command === undefined) return prompt;
  const at = prompt.indexOf(BEFORE_ARGUMENTS);
  if (at === -1) return command;
  const rest = prompt.slice(at + BEFORE_ARGUMENTS.length).trimEnd();
  const args = rest.endsWith(AFTER_ARGUMENTS) ? rest.slice(0, -AFTER_ARGUMENTS.length) : rest;
  return `${command} ${args}`.trim();
}
