/**
 * What was uncommitted while a command ran. `clean`: nothing. `dirty`: files that were so before the task began.
 * `uncommitted`: the task's own work. `no-git`: nobody can tell.
 */
export const TREES = ["clean", "dirty", "uncommitted", "no-git"] as const;
export type Tree = (typeof TREES)[number];

export const OUTCOMES = ["passed", "failed", "timed-out", "unrun"] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** One run of a command from a task's **Verify**: run by us, not reported by the agent. */
export interface Evidence {
  readonly command: string;
  /** The file that its first word resolved to, if that is a program. */
  readonly program?: string;
  /** What was expected, in words, if not just exit 0. */
  readonly expects?: string;
  /** Why it proves nothing, however it ended. */
  readonly doubt?: string;
  /** `unrun`: it could not be started. `why` says why, or what was not as expected. */
  readonly outcome: Outcome;
  readonly why?: string;
  /** The list of tasks was changed while it ran, by nobody that we know. */
  readonly meddled?: true;
  readonly exitCode: number | null;
  readonly milliseconds: number;
  /** The commit checked out while it ran; empty outside git. */
  readonly commit: string;
  /** Missing in what older versions recorded. */
  readonly tree?: Tree;
  /** The first few files that were uncommitted. */
  readonly dirty?: readonly string[];
  /** The end of its output. */
  readonly tail: string;
}

/** `required`: a task is done only if its Verify passes. `recorded`: it is run and noted. `off`: it is not run. */
export type EvidencePolicy = "required" | "recorded" | "off";
