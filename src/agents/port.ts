/** A coding agent that we start ourselves, for one task, in a fresh context. */
export interface Agent {
  /** As in `--agent claude`. */
  readonly id: string;
  /** For people: `Claude Code`. */
  readonly name: string;
  readonly driver: "headless" | "acp" | "demo";
  /** Asks for the version and the login, without a call to a model. Never rejects. */
  readonly probe: (place: Place) => Promise<Probe>;
  /** Always settles, and when it has, no process that it started is left. Never rejects. */
  readonly run: (
    work: Work,
    on: (event: AgentEvent) => void,
    stop: AbortSignal,
  ) => Promise<Outcome>;
}

/** Where agents are looked for, and with what. */
export interface Place {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface Probe {
  readonly installed: boolean;
  readonly version?: string;
  /** Undefined if it cannot be told without a call to the model. */
  readonly loggedIn?: boolean;
  /** What is missing, and what to do about it. */
  readonly why?: string;
}

export interface Work extends Place {
  readonly prompt: string;
  /** The role: appended to the system prompt, or put before the prompt where the agent would ignore it. */
  readonly instructions: string;
  readonly model?: string;
  /** Folders besides `cwd` that it may write to: the repository of a work tree. */
  readonly writable: readonly string[];
  readonly limits: Limits;
  /**
   * Wraps the command line in a container, which gets the variables of these names. Undefined: the agent's own sandbox,
   * where it has one.
   */
  readonly wrap?: (command: readonly string[], names: readonly string[]) => readonly string[];
  /** Every line that the agent printed, as it printed it: its transcript. */
  readonly record: (line: string) => void;
}

export interface Limits {
  /** Deadlines in milliseconds: in all, without a sign of life, and between the steps of a stop. */
  readonly wallMs: number;
  readonly silentMs: number;
  readonly graceMs: number;
}

/** `input` includes what came from a cache. */
export interface Tokens {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
}

export const NO_TOKENS: Tokens = { input: 0, cached: 0, output: 0 };

/** What an agent used so far in this run of it: always the sum, never the difference. */
export interface Usage {
  readonly tokens: Tokens;
  /** In US dollars, if the agent says so. */
  readonly usd?: number;
  readonly model?: string;
  readonly calls?: number;
}

export type AgentEvent =
  | { readonly kind: "session"; readonly id: string }
  | { readonly kind: "text"; readonly text: string }
  /** It uses a tool. `title` is a line for people; it is data, never printed unescaped. */
  | { readonly kind: "tool"; readonly title: string }
  | { readonly kind: "usage"; readonly usage: Usage }
  /** The service did not answer, and the agent tries again by itself. */
  | {
      readonly kind: "retry";
      readonly attempt: number;
      readonly of?: number;
      readonly status?: number;
    }
  /** Near a usage limit. */
  | { readonly kind: "quota"; readonly resetsAt?: string }
  /** Processes that it left behind, and that were ended. */
  | { readonly kind: "swept"; readonly count: number };

/** How it ended. Only `turn` may be followed by a check of the work: nothing else says that there is any. */
export type Ending =
  | { readonly kind: "turn" }
  /** A usage limit: no attempt. `resetsAt` is an ISO time. */
  | { readonly kind: "limit"; readonly resetsAt?: string; readonly text: string }
  /** 429 or 5xx after the agent's own tries: no attempt, try again later. */
  | { readonly kind: "busy"; readonly text: string }
  | { readonly kind: "auth"; readonly text: string }
  /** The model would not do it. */
  | { readonly kind: "refused"; readonly text: string }
  | { readonly kind: "too-long"; readonly text: string }
  | { readonly kind: "crashed"; readonly text: string }
  | { readonly kind: "stopped"; readonly by: "user" | "wall" | "silence" | "budget" };

export interface Outcome {
  readonly ending: Ending;
  /** The agent's last message. */
  readonly report: string;
  readonly usage: Usage;
}

/** What `stop.abort(reason)` is called with. */
export type StopReason = "user" | "budget";
