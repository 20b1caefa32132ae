/** One box of a `tasks.md` that counts as a task. Lines are 1-based, as editors show them. */
export interface Task {
  /** Position in the file, counted from 0: what the state calls `taskIndex`. */
  readonly index: number;
  /** `1.2`, `T012`, `V4`; a box without an id is addressed by position, `#3`. */
  readonly id: string;
  readonly title: string;
  /** Without brackets, upper case: `P`, `VERIFY`, `FIX 1.2`, `US1`. */
  readonly tags: readonly string[];
  readonly checked: boolean;
  readonly line: number;
  /** Last line of the task's own text, not counting blank lines after it. */
  readonly endLine: number;
  /** Index into `TaskList.phases`; -1 above the first heading. */
  readonly phase: number;
}

export interface Phase {
  readonly title: string;
  readonly line: number;
}

export interface TaskList {
  readonly tasks: readonly Task[];
  readonly phases: readonly Phase[];
  /** The file's lines, each with its own line ending, so that `lines.join("")` is the file. */
  readonly lines: readonly string[];
  /** Ids of tasks that wait for the user: nobody is sent for them. Not in the file, like the next. */
  readonly held?: ReadonlySet<string>;
  /** What the user has decided, oldest first. */
  readonly decided?: readonly Decision[];
  /** How many tasks of a parallel group are handed out together, if not the usual number. */
  readonly widest?: number;
}

/** A question about a task, and the user's answer. */
export interface Decided {
  readonly question: string;
  readonly answer: string;
}

/** The same, with the id of its task, which may be gone from the list. */
export interface Decision extends Decided {
  readonly task: string;
  /** Only says how the run goes on with that task, not what is built. */
  readonly isAboutRun: boolean;
}
