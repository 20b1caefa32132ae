import type { Outcome } from "../run/decision.ts";

/** Whose event it is, and where. */
export interface Where {
  readonly sessionId: string | null;
  readonly cwd: string;
  /** Where the session was started, where the host says so. */
  readonly projectFolder?: string;
}

/** A stop as a host reports it, before the disk is looked at. */
export interface HostStop extends Where {
  readonly continuing: boolean;
  /** Undefined where the host does not tell: then the transcript is asked. */
  readonly message?: string | null;
  readonly transcript?: string;
  readonly agentsRunning: number;
}

/** A turn that a service error ended: no stop follows it. */
interface HostFailure extends Where {
  readonly error: string;
}

/** The session is over: nobody will be asked at another stop. */
interface HostEnd extends Where {
  readonly transcript?: string;
}

/** A sub-agent has ended its turn; its last message is its report. */
export interface HostReport extends Where {
  readonly agentId: string;
  /** As the host names it, `ralph-specum:spec-executor`. */
  readonly agentType: string;
  readonly report: string;
  readonly transcript?: string;
}

/** The user typed something while the loop may be on. */
export interface HostPrompt extends Where {
  readonly text: string;
  /** The client has an event of its own for a command that the user types. */
  readonly tellsCommands: boolean;
  /** The client's name for the prompt: several events may tell of one. */
  readonly promptId?: string;
  /** False for slash commands and for the client's own notifications. */
  readonly typed: boolean;
}

/** What goes back: `reason` keeps the agent going, `say` is a line for the user. */
interface Answer {
  readonly outcome: Outcome;
  readonly reason?: string;
  readonly say?: string;
}

/** A coding client, seen from its hooks: wire JSON in, our events out, and our answer back in its words. */
export interface Host {
  readonly name: string;
  readonly parseStop: (input: unknown, env: Environment) => HostStop | undefined;
  readonly formatAnswer: (answer: Answer) => string;
  readonly parseFailure?: (input: unknown, env: Environment) => HostFailure | undefined;
  readonly parseEnd?: (input: unknown, env: Environment) => HostEnd | undefined;
  readonly parseReport?: (input: unknown, env: Environment) => HostReport | undefined;
  /** Keeps a sub-agent going with a reason. */
  readonly formatRefusal?: (reason: string) => string;
  /** A new, resumed or compacted session has begun. */
  readonly parseStart?: (input: unknown, env: Environment) => Where | undefined;
  /** The agent wants to ask the user something. */
  readonly parseQuestion?: (input: unknown, env: Environment) => Where | undefined;
  readonly formatDenial?: (reason: string) => string;
  readonly parsePrompt?: (input: unknown, env: Environment) => HostPrompt | undefined;
  readonly formatNotice?: (event: "prompt" | "start", say: string, context: string) => string;
}

export type Environment = Readonly<Record<string, string | undefined>>;
