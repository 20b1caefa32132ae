import { textOf } from "../../agents/json.ts";
import { eventsOf, formatFields, promptIn } from "../hook-json.ts";
import type { Host } from "../host.ts";

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

const { eventOf, read } = eventsOf("", "session");

export const wire: Host["wire"] = {
  parseStop: read((event, { message, continuing, agents }) => ({
    ...event,
    continuing: continuing === true,
    message: textOf(message) ?? null,
    agentsRunning: typeof agents === "number" ? agents : 0,
  })),

  parseFailure: read((event, { error }) => ({ ...event, error: textOf(error) || "unknown error" })),
  parsePrompt: read((event, { prompt }) => promptIn(event, unquoted(textOf(prompt) ?? ""))),
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

const format = (answer: {
  readonly [K in keyof WireAnswer]: WireAnswer[K] | undefined;
}): string => formatFields(answer);
