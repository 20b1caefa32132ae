import type { Agent } from "../../../src/agents/port.ts";
import type { Answer, ToolCall } from "../wire.ts";
import type { Seen } from "../wires/port.ts";

/** What a service may answer instead of the model's text. */
export type Trouble = "limit" | "busy" | "auth" | "too-long" | "refused";

/** A trouble, worded as the agent's service words it. */
export interface Scripted {
  readonly answer: Answer;
  /** Added to the environment, for example another kind of login. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Where an agent works in a test: everything in `home` belongs to the test. */
export interface Stand {
  readonly home: string;
  /** First in its PATH, for the agent's program. */
  readonly bin: string;
  readonly url: string;
}

/** An agent as the suite runs it: everything that is different from other agents. */
export interface AgentAdapter {
  readonly agent: Agent;
  /** Puts the program in `bin` and settings in `home`. Returns what its environment needs besides PATH and HOME. */
  readonly prepare: (stand: Stand) => Promise<Readonly<Record<string, string>>>;
  /** The agent's own tool for a shell command. */
  readonly shell: (command: string) => ToolCall;
  /** The agent's own tool for writing a file. */
  readonly edit: (file: string, text: string) => ToolCall;
  /** Calls that the agent makes for itself, even though they have tools. */
  readonly isSide?: (seen: Seen) => boolean;
  /** How long it may take to start on a busy machine: added to the deadlines that a scenario tests. */
  readonly startMs?: number;
  /** How its service refuses; `resetsAt` is in seconds since 1970. Troubles that it does not have are left out. */
  readonly troubles: Partial<Readonly<Record<Trouble, (resetsAt: number) => Scripted>>>;
  /** Longer than it ever stays silent before its first tool, even on a slow machine; 8 seconds by default. */
  readonly silentMs?: number;
  /** Whether it reports when a usage limit ends, that it retries, and what it used. */
  readonly tells: {
    /** Some leave out the seconds. */
    readonly reset: boolean | "minute";
    readonly retries: boolean;
    readonly cost: boolean;
    /** Whether it reports its usage while it works, and not only at the end. */
    readonly live?: false;
    /** Only at the end: until then we estimate. */
    readonly tokens?: "late";
  };
}
