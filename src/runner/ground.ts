import type { Spec } from "../store/spec.ts";
import type { Job } from "./coordinator.ts";
import type { WorkPlace } from "./stage.ts";

/** Where an attempt works, and how its work is taken back. */
export interface Ground extends Pick<WorkPlace, "cwd" | "writable"> {
  /** Keeps what an unfinished attempt has changed, for whoever wants to look, and goes back to where it began. */
  readonly rewind: (job: Job) => void;
}

/** The tree that a run's work ends up in, which has the spec's own files. */
export interface Trunk extends Ground {
  readonly spec: Spec;
  /** Null if there is none of its own: the user's own tree. */
  readonly branch: string | null;
  /** Undefined if tasks cannot be done at the same time. */
  readonly apart?: Apart;
}

/** Does tasks of a group each in a tree of its own. */
export interface Apart {
  readonly open: (job: Job) => Promise<TaskTree>;
}

export interface TaskTree extends Ground {
  readonly close: () => void;
  /** Makes one commit of what was done. Undefined if there is nothing. */
  readonly commit: (message: string) => void;
  /** Whether the trunk has moved since this tree began. */
  readonly isBehind: () => boolean;
  /** Onto the trunk. The trunk has it afterwards, or there is a conflict. */
  readonly bringBack: () =>
    | { readonly kind: "merged"; readonly commit: string; readonly undo: () => void }
    | { readonly kind: "conflict"; readonly files: readonly string[] };
  /** Leaves both sides in the tree, with markers. Returns what an agent is told. */
  readonly beginConflict: () => string;
  /** Undefined if it is resolved; otherwise what is left. */
  readonly finishConflict: () => string | undefined;
}
