import type { Job } from "./jobs.ts";

/** What a run has to ask its user. */
export interface Questions {
  /** Call before an attempt: lets its agent ask. */
  readonly open: (job: Job, root: string) => Asking;
  /**
   * Asks a question of the run's own about a job that cannot be done as it is. The job waits for the answer. False if
   * the user has answered this question before.
   */
  readonly ask: (job: Job, question: OwnQuestion) => boolean;
  /** Asks again, even if the user has answered this question before: the problem came back. */
  readonly askAgain: (job: Job, about: string, text: string) => void;
  /** Emits what was asked, skipped and answered since the last call. */
  readonly tell: () => void;
  /** Acts on what the user has answered since the last call. Returns whether there was anything. */
  readonly applyAnswers: () => boolean;
  /** Whether any task waits because it failed. */
  readonly hasFailures: () => boolean;
}

/** A question of the run's own. `about` and `verify`: as in the inbox. */
export interface OwnQuestion {
  readonly text: string;
  readonly about?: string;
  readonly options?: readonly string[];
  readonly verify?: string;
}

export interface Asking {
  readonly env: Readonly<Record<string, string>>;
  /** Call before each start: clears old questions, and writes the user's decisions for the agent to read. */
  readonly ready: () => void;
  /** Takes what the agent has asked. Returns whether its task waits from now on. */
  readonly take: () => boolean;
}
