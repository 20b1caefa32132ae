import type { Limits, Usage } from "../agents/port.ts";
import type { AgentChoice } from "../run/agent-choice.ts";
import type { AskedLine } from "../run/asked.ts";
import type { Spent } from "../run/cost.ts";
import type { Decided } from "../tasks/model.ts";
import type { Role, RunNews } from "./events.ts";
import type { About } from "./stage.ts";

/**
 * One attempt at a job, for whoever does it: plain data that survives JSON, without secrets and without paths of one
 * machine. What it says about files is relative to the project.
 */
export interface WorkOrder extends About {
  readonly run: string;
  /** Of the spec's lease. An order with a lower one comes from a run that has lost the spec. */
  readonly fence: number;
  /** The commit that the work begins at; null outside git. */
  readonly base: string | null;
  readonly role: Role;
  readonly title: string;
  /** How many attempts the job has. */
  readonly of: number;
  readonly prompt: string;
  readonly instructions: string;
  /** In the order in which they are tried. */
  readonly agents: readonly AgentChoice[];
  /** Who made the last attempt and does not make this one, and why. */
  readonly relieved?: { readonly from: string; readonly why: string };
  readonly limits: OrderLimits;
  /** What the task is about; empty if it does not say. */
  readonly files: readonly string[];
  /** What the user has decided about the task. */
  readonly decided: readonly Decided[];
}

export interface OrderLimits extends Limits {
  /** Whether the attempt may wait for a usage limit to be reset. */
  readonly mayWait: boolean;
  /** How long an agent is asked again whose service is busy. */
  readonly maxBusyMs: number;
}

/** How an attempt ended, however many agents it took. Only `turn` and `failed` count as attempts. */
export type WorkEnding =
  | { readonly kind: "turn" }
  | { readonly kind: "failed"; readonly reason: string }
  /** The prompt is too long for every agent: the task has to change. */
  | { readonly kind: "too-long"; readonly reason: string }
  | { readonly kind: "over-budget"; readonly scope: "task" | "run"; readonly reason: string }
  /** Every agent that could work was busy for as long as the run is patient. */
  | { readonly kind: "busy"; readonly reason: string }
  | { readonly kind: "unavailable"; readonly reason: string }
  /** The disk was full for as long as the run waits. */
  | { readonly kind: "no-room"; readonly reason: string }
  | { readonly kind: "stopped" };

/** What one start of an agent used, or all starts of one attempt. */
export interface Ended {
  readonly agent: string;
  /** As `--agent` names it. */
  readonly choice: string;
  readonly usage: Usage;
  readonly spent: Spent;
}

export interface AttemptEnd extends Ended {
  readonly ending: WorkEnding;
  /** The agent's last message; empty unless it ended its turn. */
  readonly report: string;
}

/** What came of an order: plain data too. Unless an agent ended its turn, none of its work is left in the way. */
export interface WorkResult extends AttemptEnd {
  /** What the agent asks the user. */
  readonly questions: readonly AskedLine[];
  /** The newest commit of the work; null if nothing was committed. */
  readonly commit: string | null;
  /** Whether anything was changed that the task is about. */
  readonly hasWorked: boolean;
  /** Why the work was set aside, though an agent ended its turn. */
  readonly rejected?: string;
  /** The files that agents named with their edit tools, where that decides whose work a file is. */
  readonly edited?: readonly string[];
}

/** Does what an order says. It judges nothing: Verify and merging are the coordinator's. */
export interface Executor {
  /** Never rejects because of an agent. Once it resolves, nothing that it started is left. */
  readonly execute: (
    order: WorkOrder,
    on: {
      readonly emit: (news: RunNews) => void;
      /** Ends the work. If its reason is that the run has lost its spec, the work is left as it is. */
      readonly signal: AbortSignal;
    },
  ) => Promise<WorkResult>;
}
