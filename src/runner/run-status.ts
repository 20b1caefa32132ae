export interface RunEnd {
  /** Never renumbered. Only a finished run has 0: all of it is done, checked, and has work to show for it. */
  readonly exit: number;
  /** For people. */
  readonly words: string;
  readonly tint: "good" | "warn" | "bad";
  /**
   * How the user is notified, with a text if the event has none. A budget that is used up has its own event, and users
   * know when they stop a run.
   */
  readonly notify?: { readonly event: "finished" | "stuck" | "question"; readonly text: string };
  /** Every task is done: nothing is left to continue. */
  readonly isDone?: true;
  /** If a spec of an epic ends like this, no other begins. */
  readonly isFatal?: true;
}

const ENDS = {
  finished: {
    exit: 0,
    words: "finished",
    tint: "good",
    notify: { event: "finished", text: "The run has finished" },
    isDone: true,
  },
  unproven: {
    exit: 8,
    words: "done, but not all of it is proven",
    tint: "warn",
    notify: { event: "finished", text: "The run has finished, but not all of it is proven" },
    isDone: true,
  },
  stuck: {
    exit: 1,
    words: "stuck",
    tint: "bad",
    notify: { event: "stuck", text: "The run is stuck" },
  },
  waits: {
    exit: 5,
    words: "waits for you",
    tint: "bad",
    notify: { event: "question", text: "The run waits for you" },
  },
  budget: { exit: 6, words: "budget used up", tint: "bad", isFatal: true },
  unavailable: {
    exit: 7,
    words: "no agent can work",
    tint: "bad",
    notify: { event: "stuck", text: "No agent can be used" },
    isFatal: true,
  },
  stopped: { exit: 130, words: "stopped", tint: "bad", isFatal: true },
} as const satisfies Readonly<Record<string, RunEnd>>;

export type RunStatus = keyof typeof ENDS;

/** Every way a run can end. Exit codes, words, colours, notifications and the schemas are made from it. */
export const RUN_ENDS: { readonly [S in RunStatus]: RunEnd & (typeof ENDS)[S] } = ENDS;
export const RUN_STATUSES = Object.keys(ENDS) as readonly RunStatus[];
