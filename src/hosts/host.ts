import type { Edition, Layout } from "../layouts/layout.ts";
import type { Outcome } from "../run/decision.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Whose event it is, and where. */
export interface HostEvent {
  readonly sessionId: string | null;
  readonly cwd: string;
  /** Where the session was started, if the host says so. */
  readonly projectFolder?: string;
}

/** A stop as a host reports it, before we look at the disk. */
export interface HostStop extends HostEvent {
  readonly continuing: boolean;
  /** Undefined if the host does not send it: then the transcript is read. */
  readonly message?: string | null;
  readonly transcript?: string;
  /** When the turn ended, as the client says: by this it is found in the transcript. */
  readonly at?: string;
  readonly agentsRunning: number;
}

/** A turn that ended in a service error: no stop follows it. */
interface HostFailure extends HostEvent {
  readonly error: string;
}

/** The session is over: no more stops will come. */
interface HostEnd extends HostEvent {
  readonly transcript?: string;
}

/** A sub-agent has ended its turn; its last message is its report. */
export interface HostReport extends HostEvent {
  readonly agentId: string;
  /** As the host names it, `ralph-specum:spec-executor`. */
  readonly agentType: string;
  readonly report: string;
  readonly transcript?: string;
}

/** An agent is about to start a sub-agent. */
export interface HostDelegation extends HostEvent {
  /** The client's id for this start. */
  readonly callId: string;
  readonly agentType: string;
  readonly prompt: string;
  readonly description: string;
  /** A sub-agent asks, not the main agent. */
  readonly isNested: boolean;
}

/** A sub-agent that was started has given its result, or was sent to the background. */
export interface HostReturn extends HostEvent {
  readonly callId: string;
  readonly agentId: string;
  /** False if it goes on in the background. */
  readonly isOver: boolean;
  /** What it used, as far as the client says. */
  readonly tokens: number | null;
  readonly toolUses: number | null;
  readonly ms: number | null;
  readonly model: string | null;
  /** What only those know who start agents themselves: which one, and what it cost. */
  readonly agent?: string;
  readonly usd?: number;
  readonly source?: "agent" | "prices";
}

/** The user typed something while the loop may be on. */
export interface HostPrompt extends HostEvent {
  readonly text: string;
  /** Whether the client has a separate event for commands that the user types. */
  readonly tellsCommands: boolean;
  /** The client's id for the prompt: several events may report the same one. */
  readonly promptId?: string;
  /** False for slash commands and for the client's own notifications. */
  readonly typed: boolean;
  /** The client says that something in the background has ended: nobody typed this. */
  readonly isNotification: boolean;
  readonly transcript?: string;
}

/** The agent is about to run a command in a shell. */
interface HostCommand extends HostEvent {
  readonly command: string;
}

/** What goes back: `reason` keeps the agent going, `say` is a line for the user, `log` one for standard error. */
export interface Answer {
  readonly outcome: Outcome;
  readonly reason?: string;
  readonly say?: string;
  readonly log?: string;
}

/** Who runs a command. Only what the user typed into a client, or at a terminal, has the user's authority. */
export interface Caller {
  readonly session: string | null;
  /**
   * `user`: typed as a slash command, as the client reported, or at a terminal. `agent`: run by an agent in a client.
   * `script`: neither; it may start what belongs to nobody, but not decide about a session's run.
   */
  readonly authority: "user" | "agent" | "script";
  /** The client above an agent that its environment does not give away. */
  readonly client?: string;
}

/** The variables by which we know who runs a command or a hook. An empty one counts as missing. */
interface HostVariables {
  /** Any of these: the client runs this, as a hook or for an agent. */
  readonly marks: readonly string[];
  /**
   * Set for what the client's agents run, and for no hook of a client that the user started: what has one of these was
   * started by an agent, another client too.
   */
  readonly agentMarks: readonly string[];
  /** The session, the first that is set. */
  readonly session: readonly string[];
  /** Those marks that are this client's alone, if not all are. */
  readonly own?: readonly string[];
  /** Where the session was started. */
  readonly projectFolder?: string;
}

/** The client's own record of a session, read only as far as needed. */
interface Transcript {
  readonly readLastMessage: (path: string, began: string | undefined, at?: string) => string | null;
  readonly readServiceError: (path: string, began: string | undefined) => string | undefined;
  /** Whether the user interrupted the agent and has typed nothing since. */
  readonly readInterrupted: (path: string) => boolean;
  /** Whether this turn began with a prompt from a queue, which agents can fill too. */
  readonly readQueued?: (path: string) => boolean;
  /** What a sub-agent was asked to do. */
  readonly readOrders: (path: string) => string | undefined;
}

/** A coding client, seen from its hooks: wire JSON in, our events out, and our answer back in its format. */
export interface Host {
  /** Its program has this name too. */
  readonly name: string;
  /** The package with that program. */
  readonly npm: string;
  /** `bin`: the folder with our programs, for clients that do not put it on the path of what they run. */
  readonly edition: (layout: Layout, bin?: string) => Edition;
  /**
   * What the user types is only reported to our hook: it runs the command, and adds to the prompt what the command says.
   * Otherwise the client runs command files itself.
   */
  readonly commandsByHook: boolean;
  readonly variables: HostVariables;
  readonly transcript: Transcript;
  readonly wire: Wire;
  /** Whether a command of the repository's own may have put these words where the user's would be. */
  readonly readForeign?: (spoken: HostPrompt) => boolean;
  /** Undefined for a client that continues a prompt as often as we say, and shows the user our lines. */
  readonly stops?: StopLimits;
}

/** Whether the user sees a line of ours when they have typed something. */
export const showsLines = ({ wire }: Pick<Host, "wire">): boolean =>
  (wire.formatNotice?.("prompt", "a line", undefined) ?? "") !== "";

/** What a client does not do for us at a stop. */
export interface StopLimits {
  /** For people. */
  readonly client: string;
  /** How often it continues a prompt; then it ends the turn, whatever we say. */
  readonly max: number;
}

interface Wire {
  readonly parseStop: (input: unknown, env: Environment) => HostStop | undefined;
  readonly formatAnswer: (answer: Answer, env: Environment) => string;
  readonly parseDelegation?: (input: unknown, env: Environment) => HostDelegation | undefined;
  /** Starts the agent with these orders instead, in the foreground. `say` is a line for the user. */
  readonly formatOrders?: (input: unknown, agent: string, orders: string, say?: string) => string;
  readonly parseReturn?: (input: unknown, env: Environment) => HostReturn | undefined;
  /** Ends the turn: nothing is left to say until the agents that were started have ended. */
  readonly formatWait?: (why: string) => string;
  /** The agents whose end wakes the session. */
  readonly parseNotification?: (input: unknown, env: Environment) => readonly HostReturn[];
  readonly parseFailure?: (input: unknown, env: Environment) => HostFailure | undefined;
  readonly parseEnd?: (input: unknown, env: Environment) => HostEnd | undefined;
  readonly parseReport?: (input: unknown, env: Environment) => HostReport | undefined;
  /** Keeps a sub-agent going with a reason. */
  readonly formatRefusal?: (reason: string) => string;
  /** The user has interrupted the agent: no stop follows. */
  readonly parseInterruption?: (input: unknown, env: Environment) => HostEvent | undefined;
  /** A new, resumed or compacted session has begun. */
  readonly parseStart?: (input: unknown, env: Environment) => HostEvent | undefined;
  /** The agent is about to ask the user something. */
  readonly parseQuestion?: (input: unknown, env: Environment) => HostEvent | undefined;
  readonly formatDenial?: (reason: string) => string;
  readonly parseCommand?: (input: unknown, env: Environment) => HostCommand | undefined;
  /** Lets the agent run the command without a question to the user. */
  readonly formatPermission?: (reason: string) => string;
  readonly parsePrompt?: (input: unknown, env: Environment) => HostPrompt | undefined;
  readonly formatNotice?: (
    event: "prompt" | "start" | "return",
    say: string | undefined,
    context: string | undefined,
  ) => string;
}
