import { type Fields, fieldsOf, textOf } from "../../agents/json.ts";
import { eventsOf, formatFields, given, promptIn, stopIn } from "../hook-json.ts";
import type { Host, HostEvent } from "../host.ts";

export const PROJECT_FOLDER = "COPILOT_PROJECT_DIR";
const events = eventsOf(PROJECT_FOLDER);

/**
 * How each of our continuations begins: the client reports them like prompts of the user. In the gate too, which ignores
 * them.
 */
export const FROM_HOOK = "Smart Ralph, at the end of your turn:\n\n";

/** How the client reports a command file that the user chose; the file's text, with their words filled in, follows. */
const INVOKED = /^The user explicitly invoked the "(\/[\w:.-]+)" skill\./;

/** What stands before the user's words in each of our command files, by which we find them. */
export const BEFORE_ARGUMENTS = "\nTyped after the command: ";

/** The client has events and prompts for sub-agents too. An agent writes what they are asked: it is not the user. */
const read = <T>(parse: (event: HostEvent, fields: Fields) => T | undefined) =>
  events.read((event, fields) =>
    textOf(fields["agent_id"]) === undefined ? parse(event, fields) : undefined,
  );

const eventOf = read((event) => event);

export const wire: Host["wire"] = {
  parseStop: read((event, fields) => ({
    ...stopIn(event, fields),
    ...given("at", fields["timestamp"]),
  })),

  /** Nothing but what keeps the agent going reaches anybody. */
  formatAnswer: ({ reason }) =>
    reason === undefined
      ? "{}"
      : JSON.stringify({ decision: "block", reason: `${FROM_HOOK}${reason}` }),

  parsePrompt: read((event, fields) => {
    const prompt = textOf(fields["prompt"]) ?? "";
    return prompt.startsWith(FROM_HOOK.trimEnd()) ? undefined : promptIn(event, typedIn(prompt));
  }),

  parseStart: eventOf,
  parseEnd: eventOf,

  parseFailure: read((event, { error }) => ({
    ...event,
    error: textOf(error) ?? textOf(fieldsOf(error)["message"]) ?? "unknown error",
  })),

  formatNotice: (_event, _say, context) => formatFields({ additionalContext: context }),
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
