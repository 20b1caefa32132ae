export const OUTCOMES = ["passed", "failed", "timed-out", "unrun"] as const;

/** One run of a command from a task's **Verify**: run by us, not reported by the agent. */
export interface Evidence {
  readonly command: string;
  /** The file that its first word resolved to, if that is a program. */
  readonly program?: string;
  /** `unrun`: it could not be started; `why` says why. */
  readonly outcome: (typeof OUTCOMES)[number];
  readonly why?: string;
  readonly exitCode: number | null;
  readonly milliseconds: number;
  /** The commit checked out while it ran; empty outside git. */
  readonly commit: string;
  /** The end of its output. */
  readonly tail: string;
}

/** `required`: a task is done only if its Verify passes. `recorded`: it is run and noted. `off`: it is not run. */
export type EvidencePolicy = "required" | "recorded" | "off";
