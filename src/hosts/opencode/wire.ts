import { MAX_SESSION } from "../../run/loop.ts";
import { isObject } from "../../text/schema.ts";
import type { Host, HostEvent } from "../host.ts";
import { text } from "../json.ts";

/**
 * What our plugin in the client sends, one event a process. The client itself has functions instead of hooks; the plugin
 * only translates, so this is a format of our own.
 */
export interface WireEvent {
  readonly session: string;
  /** Where the session was started: an agent's `cd` does not outlive its command. */
  readonly cwd: string;
  /** What the agent said last, at a stop. */
  readonly message?: string | null;
  /** Whether that was the answer to a continuation of ours. */
  readonly continuing?: boolean;
  /** How many sub-agents of the session are still working. */
  readonly agents?: number;
  /** What the user typed. */
  readonly prompt?: string;
  /** Why the turn failed. */
  readonly error?: string;
}

/** What it gets back. */
export interface WireAnswer {
  /** Keeps the agent going. */
  readonly reason?: string;
  /** A line for the user. */
  readonly say?: string;
  /** Goes to the model with the user's prompt. */
  readonly context?: string;
  /** Why a tool must not be used. */
  readonly deny?: string;
}

export const wire: Host["wire"] = {
  parseStop(input) {
    const event = eventOf(input);
    if (event === undefined) return undefined;
    const { message, continuing, agents } = input as Readonly<Record<string, unknown>>;
    return {
      ...event,
      continuing: continuing === true,
      message: text(message) ?? null,
      agentsRunning: typeof agents === "number" ? agents : 0,
    };
  },

  parseFailure(input) {
    const event = eventOf(input);
    const error = text((input as Readonly<Record<string, unknown>> | undefined)?.["error"]);
    return event === undefined ? undefined : { ...event, error: error || "unknown error" };
  },

  parsePrompt(input) {
    const event = eventOf(input);
    if (event === undefined) return undefined;
    const typed = text((input as Readonly<Record<string, unknown>>)["prompt"]) ?? "";
    const spoken = unquoted(typed);
    return {
      ...event,
      text: spoken,
      tellsCommands: false,
      typed: !/^\s*\//.test(spoken),
      isNotification: false,
    };
  },

  parseStart: eventOf,

  parseQuestion: eventOf,

  formatAnswer: ({ reason, say }) => format({ reason, say }),

  formatNotice: (_, say, context) => format({ say, context }),

  formatDenial: (deny) => format({ deny }),
};

/** `opencode run "/ralph-specum:implement demo"` sends what the shell took for one word in quotes. */
function unquoted(prompt: string): string {
  const [, inside] = /^\s*"(\/[\s\S]*)"\s*$/.exec(prompt) ?? [];
  return inside === undefined ? prompt : inside.replaceAll('\\"', '"');
}

function format(answer: { readonly [K in keyof WireAnswer]: WireAnswer[K] | undefined }): string {
  const said = Object.values(answer).some((value) => value !== undefined);
  return said ? JSON.stringify(answer) : "";
}

function eventOf(input: unknown): HostEvent | undefined {
  if (!isObject(input)) return undefined;
  const cwd = text(input["cwd"]);
  if (cwd === undefined || cwd === "") return undefined;
  return { sessionId: text(input["session"])?.slice(0, MAX_SESSION) ?? null, cwd };
}
