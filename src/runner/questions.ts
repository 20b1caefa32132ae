import type { Job } from "./jobs.ts";

/** What a run has to ask its user. */
export interface Questions {
  /** Before an attempt: how its agent can ask. */
  readonly open: (job: Job, root: string) => Asking;
  /**
   * A question of the run itself about a job that cannot be done as it is. The job waits for the answer; false if the
   * user has given it before.
   */
  readonly ask: (job: Job, text: string, options?: readonly string[], verify?: string) => boolean;
  /** The same if it has happened again since the user's answer: the job waits, whatever they have answered before. */
  readonly askAgain: (job: Job, text: string, options?: readonly string[]) => void;
  /** Does what the user has answered since. */
  readonly applyAnswers: () => void;
  /** Whether some task waits because it could not be done. */
  readonly hasFailures: () => boolean;
}

export interface Asking {
  readonly env: Readonly<Record<string, string>>;
  /** Before each start: nothing is asked yet, and what the user has decided is there to be read. */
  readonly ready: () => void;
  /** What the agent has asked; from now on its task waits. */
  readonly take: () => readonly string[];
}
