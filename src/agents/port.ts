import {
  anyOf,
  field,
  forPeople,
  integer,
  objectOf,
  objectWith,
  oneOf,
  string,
  type TypeOf,
} from "../text/schema.ts";

/** A coding agent that we start ourselves, for one task, in a fresh context. */
export interface Agent {
  /** As in `--agent claude`. */
  readonly id: string;
  /** For people: `Claude Code`. */
  readonly name: string;
  readonly driver: "headless" | "acp" | "demo";
  /** What it is started with so that it never asks, as it is typed or in words; without our sandbox, or in it. Empty: nothing. */
  readonly rights: (isBoxed: boolean) => string;
  /** Asks for the version and the login, without a call to a model. Never rejects. */
  readonly probe: (place: Place) => Promise<Probe>;
  /** Always settles; by then, no process that it started is left. Never rejects. */
  readonly run: (
    work: Work,
    on: (event: AgentEvent) => void,
    stop: AbortSignal,
  ) => Promise<Outcome>;
}

/** The folder and environment that agents are looked for in. */
export interface Place {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface Probe {
  readonly installed: boolean;
  readonly version?: string;
  /** Undefined if only a call to the model would show it. */
  readonly loggedIn?: boolean;
  /** What is missing, and what to do about it. */
  readonly why?: string;
}

export interface Work extends Place {
  readonly prompt: string;
  /** The role: appended to the system prompt, or put before the prompt where the agent would ignore it. */
  readonly instructions: string;
  readonly model?: string;
  /** More folders that it may write to, such as the repository of a work tree. */
  readonly writable: readonly string[];
  readonly limits: Limits;
  /**
   * Wraps the command line in a container, which gets the named variables. Undefined: the agent uses its own sandbox,
   * if it has one.
   */
  readonly wrap?: (command: readonly string[], names: readonly string[]) => readonly string[];
  /** Puts the command line into a PID namespace of its own. Says nothing about a sandbox. */
  readonly enclose?: (command: readonly string[]) => readonly string[];
  /** Gets every line exactly as the agent printed it: its transcript. */
  readonly record: (line: string) => void;
}

export interface Limits {
  /** Deadlines in milliseconds: in total, without a sign of life, and between the steps of a stop. */
  readonly wallMs: number;
  readonly silentMs: number;
  readonly graceMs: number;
}

export const tokensKind = objectOf({
  input: field(integer(0), "Including what came from a cache."),
  cached: field(integer(0), ""),
  output: field(integer(0), ""),
});
export type Tokens = TypeOf<typeof tokensKind>;

export const NO_TOKENS: Tokens = { input: 0, cached: 0, output: 0 };

export const addTokens = (one: Tokens, more: Tokens): Tokens => ({
  input: one.input + more.input,
  cached: one.cached + more.cached,
  output: one.output + more.output,
});

/** What an agent has used since it was started: always the total, never the difference. */
export interface Usage {
  readonly tokens: Tokens;
  /** In US dollars, if the agent reports it. */
  readonly usd?: number;
  readonly model?: string;
  readonly calls?: number;
}

export type AgentEvent =
  | { readonly kind: "session"; readonly id: string }
  | { readonly kind: "text"; readonly text: string }
  /** It is using a tool. `title` is a line for people; it is data, never printed unescaped. */
  | { readonly kind: "tool"; readonly title: string }
  /** It changes these files with its own edit tools. The paths are as it names them. */
  | { readonly kind: "edited"; readonly files: readonly string[] }
  | { readonly kind: "usage"; readonly usage: Usage }
  /** The service did not answer, and the agent is retrying. */
  | {
      readonly kind: "retry";
      readonly attempt: number;
      readonly of?: number;
      readonly status?: number;
    }
  /** Near a usage limit. */
  | { readonly kind: "quota"; readonly resetsAt?: string }
  /** Processes that it left behind; they have been ended. */
  | { readonly kind: "swept"; readonly count: number };

const kindOf = <const K extends string>(name: K) => field(oneOf(name), "What happened.");

/**
 * How it ended. The work is checked only after `turn`: no other ending says that there is any. Neither a usage limit nor
 * `busy` (429 or 5xx after the agent's own retries) costs an attempt. `refused`: by the model.
 */
export const endingKind = anyOf(
  objectOf({ kind: kindOf("turn") }),
  objectWith({ kind: kindOf("limit"), text: forPeople }, { resetsAt: field(string, "ISO 8601.") }),
  objectOf({
    kind: field(oneOf("busy", "auth", "refused", "too-long", "crashed"), ""),
    text: forPeople,
  }),
  objectOf({
    kind: kindOf("stopped"),
    by: field(oneOf("user", "wall", "silence", "budget"), "Who or what stopped it."),
  }),
);
export type Ending = TypeOf<typeof endingKind>;

export interface Outcome {
  readonly ending: Ending;
  /** The agent's last message. */
  readonly report: string;
  readonly usage: Usage;
}

/** What `stop.abort(reason)` is called with. */
export type StopReason = "user" | "budget";
