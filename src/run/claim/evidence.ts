export const OUTCOMES = ["passed", "failed", "timed-out", "unrun"] as const;

/** One run of a command that a task's **Verify** names, made by us, not told by the agent. */
export interface Evidence {
  readonly command: string;
  /** The file that its first word stood for, where that is a program. */
  readonly program?: string;
  /** `unrun`: it could not be tried at all, and `why` says so. */
  readonly outcome: (typeof OUTCOMES)[number];
  readonly why?: string;
  readonly exitCode: number | null;
  readonly milliseconds: number;
  /** What was checked out while it ran; empty outside git. */
  readonly commit: string;
  /** The end of what it printed. */
  readonly tail: string;
}

/** `required`: a task is done only if its Verify passes. `recorded`: it is run and noted. `off`: it is not run. */
export type EvidencePolicy = "required" | "recorded" | "off";
