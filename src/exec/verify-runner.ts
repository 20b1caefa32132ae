import type { Evidence } from "../run/claim/evidence.ts";
import type { Check } from "../tasks/verify/verify.ts";

export interface VerifyOptions {
  readonly root: string;
  /** What is checked out. */
  readonly commit: string;
  readonly timeoutMs: number;
  /** PATH and similar variables of the user who started the run, if known. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal;
}

/**
 * Runs one command of a task's Verify, compares the result with what is expected, and returns it. When the promise
 * settles, nothing that the command started is still running. It rejects only if the signal aborts: an interrupted run
 * proves nothing.
 */
export interface VerifyRunner {
  run(check: Check, options: VerifyOptions): Promise<Evidence>;
}
