import type { Agent } from "../../../src/agents/port.ts";
import type { Answer, ToolCall } from "../wire.ts";
import type { Seen } from "../wires/port.ts";

/** What a service may answer instead of the model's words. */
export type Trouble = "limit" | "busy" | "auth" | "too-long" | "refused";

/** A trouble in the words of the service that an agent uses. */
export interface Scripted {
  readonly answer: Answer;
  /** Added to the environment, say another kind of login. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Where an agent works in a test: everything in `home` is the test's own. */
export interface Stand {
  readonly home: string;
  /** First in its PATH, for the agent's program. */
  readonly bin: string;
  readonly url: string;
}

/** An agent as the suite runs it: everything in which it differs from the others. */
export interface AgentAdapter {
  readonly agent: Agent;
  /** Puts the program into `bin`, settings into `home`, and returns what its environment needs besides PATH and HOME. */
  readonly prepare: (stand: Stand) => Promise<Readonly<Record<string, string>>>;
  /** The agent's own tool for a shell command. */
  readonly shell: (command: string) => ToolCall;
  /** Calls of the agent itself that have tools all the same. */
  readonly isSide?: (seen: Seen) => boolean;
  /** Added to the deadlines that a scenario is about: what its start may take on a busy machine. */
  readonly startMs?: number;
  /** How its service says no; `resetsAt` is in seconds since 1970. A trouble that it does not know is left out. */
  readonly troubles: Partial<Readonly<Record<Trouble, (resetsAt: number) => Scripted>>>;
  /** Longer than it is ever silent before its first tool, even on a slow machine; 8 seconds by default. */
  readonly silentMs?: number;
  /** Whether it says when a usage limit ends, that it tries again, and what it used. */
  readonly tells: {
    /** Some leave out the seconds. */
    readonly reset: boolean | "minute";
    readonly retries: boolean;
    readonly cost: boolean;
    /** What it used, while it works and not only at its end; true unless it says otherwise. */
    readonly live?: false;
    /** Only at its end: until then we guess. */
    readonly tokens?: "late";
  };
}
