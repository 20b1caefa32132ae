import type { Job } from "./jobs.ts";

/** What a run has to ask its user. */
export interface Questions {
  /** Call before an attempt: lets its agent ask. */
  readonly open: (job: Job, root: string) => Asking;
  /** Takes what agents of a run asked that was killed before it could. */
  readonly takeLeft: () => void;
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
  /** Closes what was asked because a task failed: the next run tries it again. */
  readonly dropFailures: () => void;
}

export interface Asking {
  readonly env: Readonly<Record<string, string>>;
  /** Call before each start: clears old questions, and writes the user's decisions for the agent to read. */
  readonly ready: () => void;
  /** Takes what the agent has asked. From now on its task waits. */
  readonly take: () => readonly string[];
}
