import type { Spec } from "../store/spec.ts";
import type { Edits } from "./edits.ts";
import type { Job } from "./jobs.ts";
import type { CheckGround } from "./last-check.ts";
import type { WorkPlace } from "./stage.ts";

/** Where an attempt works, and how its work is undone. */
export interface Ground extends Pick<WorkPlace, "cwd" | "writable" | "isOwn"> {
  /** Call before the attempt's agent starts, and what it returns once the agent has ended. */
  readonly begin: (job: Pick<Job, "id" | "role" | "attempt">) => () => Aftermath;
  /** Undefined in a tree of the run's own: whatever an agent leaves there is its work. */
  readonly edits?: Edits;
  /** Keeps the changes of an unfinished attempt under a ref, and goes back to where it began. */
  readonly rewind: (task: string) => Promise<void>;
}

/** What an agent did beyond its job, after repairs. */
export interface Aftermath {
  /** For the user, in sentences. */
  readonly notes: readonly string[];
  /** Why its work was not accepted and was set aside, if so. */
  readonly failed?: string;
}

export const NO_AFTERMATH: Aftermath = { notes: [] };

/** A tree in which a merge is open: its agent resolves it, and `leave` says what became of that. */
export const inMerge = ({ cwd, writable }: Ground, leave: () => Aftermath): Ground => ({
  cwd,
  writable,
  isOwn: true,
  begin: () => leave,
  rewind: async () => undefined,
});

/** The tree that collects a run's work and holds the spec's own files. */
export interface RunGround extends Ground {
  readonly spec: Spec;
  /** Null outside git. */
  readonly branch: string | null;
  /** What the user should know before the run begins, in sentences. */
  readonly notes: readonly string[];
  /** Opens a separate tree for a task. Undefined if tasks cannot be done at the same time here. */
  readonly apart?: (job: Job) => Promise<ApartGround>;
  /** Makes a clean checkout of the branch; in the user's own tree, that is what is checked. */
  readonly checkOut: () => Promise<CheckGround | { readonly failed: string }>;
  /** Notes that everything holds at this commit. */
  readonly noteProven?: (commit: string) => void;
  /** `isUnbegun`: the run did not begin, so what was made for it goes. */
  readonly close: (isUnbegun?: boolean) => void;
}

export type Joining =
  /** The trunk moved from `before` to `commit`. */
  | {
      readonly kind: "merged";
      readonly before: string;
      readonly commit: string;
      readonly undo: () => void;
    }
  | { readonly kind: "conflict"; readonly files: readonly string[] }
  | { readonly kind: "failed"; readonly why: string };

/** A tree for one task of a group. */
export interface ApartGround extends Ground {
  /** The spec in this tree: documents only. */
  readonly spec: Spec;
  /** Whether other tasks were merged since it began. */
  readonly isBehind: () => boolean;
  /** Commits whatever is clearly the task's work, and merges all of it into the trunk, except what the report disowns. */
  readonly bringBack: (
    message: (isOnlyNotes: boolean) => string,
    said: { readonly isListed: (name: string) => boolean; readonly report: string },
  ) => Joining;
  /** Leaves both sides in the tree, with markers. Returns the agent's prompt, or nothing if they fit after all. */
  readonly beginConflict: (job: Job) => string | undefined;
  /** Call once the agent has ended. `failed`: why the conflict is not resolved, if so. */
  readonly finishConflict: () => Aftermath;
  readonly close: () => void;
}
