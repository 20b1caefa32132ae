import type { Edition, Phase } from "../layouts/layout.ts";
import type { Task, TaskList } from "../tasks/model.ts";
import type { IsRunnable } from "./claim/due-check.ts";
import type { HandOut, SpecRef } from "./hand-out.ts";
import type { Inbox } from "./inbox.ts";
import type { Entry } from "./journal.ts";
import type { Settings } from "./settings.ts";
import type { Raw, StateFile } from "./state.ts";
import type { RunRecord } from "./trust.ts";

/** What a host reports at the end of a turn, in our own terms. */
export interface StopEvent {
  readonly sessionId: string | null;
  /** Some hook already kept this turn going. */
  readonly continuing: boolean;
  /** The agent's last message; null if it said nothing. */
  readonly message: string | null;
  /** Agents of this session still working in the background. Shells do not count. */
  readonly agentsRunning: number;
}

export type TasksFile =
  | { readonly kind: "absent" }
  | { readonly kind: "unreadable"; readonly why: string }
  | { readonly kind: "ok"; readonly list: TaskList };

/** What a glance at a run shows: enough to skip a stop that does not concern us. */
export interface Glance {
  readonly layout: Edition;
  readonly settings: Settings;
  readonly spec: SpecRef;
  readonly state: StateFile;
  readonly last: Entry | undefined;
  /** What this machine knows about the run; undefined if it was started elsewhere, or by an older version. */
  readonly record?: RunRecord | undefined;
}

/** Everything that a decision is based on. */
export interface Disk extends Glance {
  /** With what the user was asked and has decided about the tasks. */
  readonly tasks: TasksFile;
  readonly inbox?: Inbox;
  /** What is wrong with the document of the current phase. */
  readonly findings: readonly string[];
  /** The commit that is checked out, or any text that changes with it. */
  readonly head: string;
  /** What the journal says since tasks were last handed out; read on demand. */
  readonly recent?: () => readonly Entry[];
  /** What the end of the journal says about earlier turns too; read on demand. */
  readonly past?: () => readonly Entry[];
  /** Whether a program can do a task; asked only about the next one. */
  readonly isRunnable?: IsRunnable;
  /** Tasks that the user agreed to and that vanished from the list undone; read on demand. */
  readonly lost?: (list: TaskList) => readonly string[];
}

/** Which row of the contract decided. */
export type Outcome =
  | "idle"
  | "other-session"
  | "agents-running"
  | "corrupt"
  | "not-executing"
  /** Boxes were ticked by hand, or the next task has no checkpoint: see to that, then decide again. */
  | "unsettled"
  | "phase"
  /** Everything is done: the whole work is reviewed once. */
  | "review"
  | "finished"
  | "sent-back"
  | "awaiting"
  | "limit"
  | "exhausted"
  | "stalled"
  | "foreign"
  | "continue";

/** What the agent is told during execution, and when the loop ends. */
export type LoopPrompt =
  | { readonly kind: "continue"; readonly brief: HandOut }
  | { readonly kind: "sent-back"; readonly brief: HandOut; readonly missing: readonly Task[] }
  | {
      readonly kind: "corrupt";
      readonly spec: SpecRef;
      readonly file: string;
      readonly why: string;
    }
  | { readonly kind: "limit"; readonly spec: SpecRef; readonly max: number };

/** What drives it from phase to phase. */
export type PhasePrompt =
  /** A phase begins: write its document. */
  | { readonly kind: "phase"; readonly brief: HandOut; readonly phase: Phase }
  /** The phase's document fails its check. */
  | {
      readonly kind: "phase-back";
      readonly brief: HandOut;
      readonly phase: Phase;
      readonly round: number;
      readonly findings: readonly string[];
    }
  /** The last phase is over: execution begins. */
  | { readonly kind: "execute"; readonly brief: HandOut };

/** The last step before the end. */
export interface ReviewPrompt {
  readonly kind: "review";
  readonly brief: HandOut;
}

export type Prompt = LoopPrompt | PhasePrompt | ReviewPrompt;

/** What is written before the answer goes out; nothing for a stop that does not concern us. */
export interface Write extends Omit<Entry, "at"> {
  /** Fields to set in the state, or `remove` the file. */
  readonly state?: Raw | "remove";
}

export interface Decision {
  readonly outcome: Outcome;
  /** Sent to the agent; without it the agent may stop. */
  readonly prompt?: Prompt;
  /** One line for the user. */
  readonly say?: string;
  /** One line for standard error, if it is not the same. */
  readonly log?: string;
  readonly write?: Write;
}
