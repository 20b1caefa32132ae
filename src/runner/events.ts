import type { Ending, Tokens } from "../agents/port.ts";
import type { Outlook } from "../facts/outlook.ts";
import type { TaskClass } from "../run/claim/verdict.ts";
import type { CostSource, Spent } from "../run/cost.ts";
import type { Diagnostic } from "../text/diagnostic.ts";

/** What an agent is started for. Models and agents can be chosen for each. */
export type Role = "planning" | "execution" | "verification" | "review" | "merge";

export interface TaskLine {
  readonly id: string;
  readonly title: string;
  readonly state: "open" | "done" | "waits" | "skipped";
  /** What is behind it. Older runs did not say. */
  readonly class?: TaskClass;
}

/** What an agent has used since it was started, with its cost. */
export interface PricedUsage {
  readonly tokens: Tokens;
  readonly usd: number | null;
  readonly source: CostSource;
}

export interface Budget {
  readonly usd?: number;
  readonly tokens?: number;
  readonly ms?: number;
}

/** Why a run ended; each has its exit code. `unproven`: every task is done, but not every one is proven. */
export const RUN_STATUSES = [
  "finished",
  "unproven",
  "stuck",
  "waits",
  "budget",
  "unavailable",
  "stopped",
] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** The attempt that an event is about. `task` is a task's id, the name of a document, or `review`. */
interface About {
  readonly spec: string;
  readonly task: string;
  readonly attempt: number;
}

/** What killed runs used that this one continues: it counts towards its budget. */
export interface UsedBefore {
  readonly ms: number;
  readonly starts: readonly (About & { readonly agent: string; readonly spent: Spent })[];
}

/** What happens in a run, in order. The live view, the lines, `--json`, `watch` and `replay` read only this. */
export type RunEvent = { readonly at: string } & (
  | {
      readonly kind: "run-started";
      readonly run: string;
      readonly version: string;
      readonly pid: number;
      readonly agents: readonly string[];
      readonly parallel: number;
      readonly budget: Budget;
      readonly sandbox: string;
      /** What ends processes that are left behind. Older runs did not say. */
      readonly processes?: string;
      /** Set if the run is for all specs of an epic. */
      readonly epic?: string;
      /** Command-line options, as words, to repeat in order to continue the run. */
      readonly options?: readonly string[];
      readonly before?: UsedBefore;
    }
  /** At the start of a spec, and whenever its list changes. */
  | {
      readonly kind: "plan";
      readonly spec: string;
      readonly branch: string | null;
      readonly tree: string;
      readonly tasks: readonly TaskLine[];
    }
  | ({
      readonly kind: "attempt-started";
      readonly of: number;
      readonly role: Role;
      readonly title: string;
      readonly agent: string;
      readonly model?: string;
    } & About)
  /** What the agent is doing, in a line. */
  | ({ readonly kind: "action"; readonly text: string } & About)
  /** What this attempt has used so far. */
  | ({ readonly kind: "usage"; readonly spent: PricedUsage } & About)
  | ({ readonly kind: "retry"; readonly text: string } & About)
  | ({
      readonly kind: "attempt-ended";
      readonly ending: Ending;
      readonly ms: number;
      readonly spent: PricedUsage;
    } & About)
  | ({ readonly kind: "verifying"; readonly command: string } & About)
  | ({
      readonly kind: "done";
      /** How its Verify did before the work and after it. */
      readonly before: "failed" | "passed" | "unknown";
      readonly after: "passed" | "unknown";
      readonly commit: string | null;
      /** What that makes of the task, and what keeps it from being proven. Older runs did not say. */
      readonly class?: TaskClass;
      readonly weakness?: string;
    } & About)
  /** `claimed`: false if its agent did not call it done. */
  | ({ readonly kind: "refused"; readonly reason: string; readonly claimed?: boolean } & About)
  /** It is in the branch and stays there: its Verify has passed on top of what was merged before it. */
  | ({ readonly kind: "merged"; readonly commit: string } & About)
  | ({ readonly kind: "conflict"; readonly files: readonly string[] } & About)
  | {
      readonly kind: "question";
      readonly spec: string;
      readonly task: string;
      readonly id: number;
      readonly text: string;
      readonly options: readonly string[];
    }
  | {
      readonly kind: "answered";
      readonly spec: string;
      readonly id: number;
      readonly answer: string;
    }
  | { readonly kind: "skipped"; readonly spec: string; readonly task: string }
  /** Nothing of the spec goes on until the user has typed `todo`. */
  | {
      readonly kind: "approval";
      readonly spec: string;
      readonly text: string;
      readonly todo: string;
    }
  | { readonly kind: "approved"; readonly spec: string }
  /** An agent has reached its usage limit. */
  | {
      readonly kind: "limit";
      readonly agent: string;
      readonly until: string | null;
      readonly text: string;
    }
  | {
      readonly kind: "agent-changed";
      readonly from: string;
      readonly to: string;
      readonly why: string;
    }
  /** Nothing can go on until then. */
  | { readonly kind: "waiting"; readonly until: string; readonly why: string }
  | { readonly kind: "budget"; readonly text: string }
  | { readonly kind: "paused" }
  | { readonly kind: "resumed" }
  /** Processes that an agent left behind, and that were ended. */
  | { readonly kind: "swept"; readonly count: number }
  /** `outlook`: what can be proven, before the first task of a spec. `checks`: what was looked at before the first agent. */
  | {
      readonly kind: "note";
      readonly text: string;
      readonly outlook?: Outlook;
      readonly checks?: readonly Diagnostic[];
    }
  | {
      readonly kind: "run-ended";
      readonly status: RunStatus;
      readonly done: number;
      readonly total: number;
      readonly text: string;
    }
);

/** An event without its time, as it is emitted. */
export type RunNews = RunEvent extends infer One
  ? One extends RunEvent
    ? Omit<One, "at">
    : never
  : never;
