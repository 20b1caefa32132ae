import type { AskedLine } from "../run/asked.ts";
import type { Job } from "./jobs.ts";

/** What a run has to ask its user. */
export interface Questions {
  /** Asks what the agent of a job asks. Returns whether the job waits now: the user may have answered all of it before. */
  readonly pass: (job: Job, asked: readonly AskedLine[]) => boolean;
  /**
   * Asks a question of the run's own about a job that cannot be done as it is. The job waits for the answer. False if
   * the user has answered this question before.
   */
  readonly ask: (job: Job, text: string, options?: readonly string[], verify?: string) => boolean;
  /** Asks again, even if the user has answered this question before: the problem came back. */
  readonly askAgain: (job: Job, text: string, options?: readonly string[]) => void;
  /** Emits what was asked, skipped and answered since the last call. */
  readonly tell: () => void;
  /** Acts on what the user has answered since the last call. Returns whether there was anything. */
  readonly applyAnswers: () => boolean;
  /** Whether any task waits because it failed. */
  readonly hasFailures: () => boolean;
}
