import type { Spec } from "../store/spec.ts";
import type { Job } from "./jobs.ts";
import type { CleanGround } from "./last-check.ts";
import type { WorkPlace } from "./stage.ts";

/** Where an attempt works, and how its work is taken back. */
export interface Ground extends Pick<WorkPlace, "cwd" | "writable" | "isOwn"> {
  /** Before the attempt's agent starts. Returns what is called once it has ended. */
  readonly begin: (job: Job) => () => Aftermath;
  /** Keeps what an unfinished attempt has changed, for whoever wants to look, and goes back to where it began. */
  readonly rewind: (task: string) => Promise<void>;
}

/** What an agent did that was not its to do, and that was put right. */
export interface Aftermath {
  /** For the user, in sentences. */
  readonly notes: readonly string[];
  /** Why its work cannot be taken, if so: then it was set aside. */
  readonly failed?: string;
}

export const NO_AFTERMATH: Aftermath = { notes: [] };

/** The tree that a run's work ends up in, which has the spec's own files. */
export interface RunGround extends Ground {
  readonly spec: Spec;
  /** Null outside git. */
  readonly branch: string | null;
  /** What the user should know before it begins, in sentences. */
  readonly notes: readonly string[];
  /** Does a task in a tree of its own. Undefined if tasks cannot be done at the same time here. */
  readonly apart?: (job: Job) => Promise<ApartGround>;
  /** Checks out what the branch has, and nothing else. Undefined in the user's own tree. */
  readonly checkOut?: () => Promise<CleanGround | { readonly failed: string }>;
  /** Everything holds at this commit. */
  readonly noteProven?: (commit: string) => void;
  readonly close: () => void;
}

export type Joining =
  | { readonly kind: "merged"; readonly commit: string; readonly undo: () => void }
  | { readonly kind: "conflict"; readonly files: readonly string[] }
  | { readonly kind: "failed"; readonly why: string };

/** A tree for one task of a group. */
export interface ApartGround extends Ground {
  /** The spec as it is there: documents only. */
  readonly spec: Spec;
  /** Whether others have come back since it began. */
  readonly isBehind: () => boolean;
  /** Commits what is uncommitted and clearly the task's work, and brings all of it onto the trunk. */
  readonly bringBack: (message: string, isListed: (name: string) => boolean) => Joining;
  /** Leaves both sides in the tree, with markers: what an agent is told, or nothing if they fit after all. */
  readonly beginConflict: (job: Job) => string | undefined;
  /** Once the agent has ended. `failed`: why it is not resolved, if it is not. */
  readonly finishConflict: () => Aftermath;
  readonly close: () => void;
}
