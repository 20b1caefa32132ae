import { EXECUTION } from "../layouts/layout.ts";
import { taskText } from "../tasks/edit/tick.ts";
import { parseFiles } from "../tasks/fields.ts";
import type { Task, TaskList } from "../tasks/model.ts";
import { locate } from "../tasks/position.ts";
import { designOf, isVerifyTask } from "../tasks/tags.ts";
import { planHistory, type TaskHistory } from "./claim/task-history.ts";
import type { Entry, Loop } from "./journal.ts";
import type { State } from "./state.ts";

/** A spec, by name and by folder as the user sees it: relative to the project. */
export interface SpecRef {
  readonly name: string;
  readonly basePath: string;
  /** The same, from the root of the file system. */
  readonly folder?: string;
}

/** Where the loop is and what to hand out now: all that a prompt says about a spec. */
export interface HandOut {
  readonly spec: SpecRef;
  /** The phase before execution that it is in, if any. */
  readonly phase: string | undefined;
  readonly index: number;
  readonly total: number;
  readonly ticked: number;
  readonly iteration: number;
  readonly maxAttempts: number;
  /** One task, or a parallel group; empty without a `tasks.md`. */
  readonly current: readonly HandOutTask[];
  /** Tasks of the current group that are out of attempts. */
  readonly exhausted: readonly Task[];
  /** Open tasks that wait for the user. */
  readonly held: readonly Task[];
}

export interface HandOutTask {
  readonly id: string;
  readonly index: number;
  readonly title: string;
  readonly text: string;
  readonly line: number;
  readonly verify: boolean;
  /** A report on it may have changed nothing. */
  readonly isDesigned: boolean;
  /** Who gets it. */
  readonly agent: "spec-executor" | "qa-engineer";
  readonly attempt: number;
  readonly history: TaskHistory;
}

export function planHandOut(
  spec: SpecRef,
  list: TaskList | undefined,
  state: State,
  loop: Loop,
  entries: readonly Entry[] = [],
): HandOut {
  const position = list === undefined ? undefined : locate(list);
  const due = (position?.current ?? []).map((task) => ({
    task,
    attempt: attemptAt(task, state, loop),
  }));
  return {
    spec,
    phase: state.phase === EXECUTION ? undefined : state.phase,
    index: position?.index ?? state.taskIndex ?? 0,
    total: position?.total ?? state.totalTasks ?? 0,
    ticked: position === undefined ? 0 : position.total - position.open.length,
    iteration: loop.iteration,
    maxAttempts: loop.maxAttempts,
    current: due
      .filter(({ attempt }) => attempt <= loop.maxAttempts)
      .map(({ task, attempt }) => ({
        id: task.id,
        index: task.index,
        title: task.title,
        text: taskText(list as TaskList, task),
        line: task.line,
        verify: isVerifyTask(task),
        isDesigned: designOf(task) !== null,
        attempt,
        ...withHistory(
          task,
          planHistory(
            task,
            entries,
            attempt > 1 ? loop.lastError : null,
            parseFiles(list as TaskList, task),
            list?.decided,
          ),
        ),
      })),
    exhausted: due.filter(({ attempt }) => attempt > loop.maxAttempts).map(({ task }) => task),
    held: position?.held ?? [],
  };
}

/** Nothing can be handed out until the user has said something: all that is open waits for that. */
export const isHeldUp = ({ current, exhausted, held }: HandOut): boolean =>
  held.length > 0 && current.length === 0 && exhausted.length === 0;

/** A [VERIFY] task goes to somebody who only checks, unless its commands failed and there is something to fix. */
const withHistory = (task: Task, history: TaskHistory): Pick<HandOutTask, "agent" | "history"> => ({
  agent: isVerifyTask(task) && !history.hasFailed ? "qa-engineer" : "spec-executor",
  history,
});

/** The tasks of a hand-out with their attempts: each has a checkpoint once the loop's record says so. */
export const readyKey = ({ current }: HandOut): string =>
  current.map(({ id, attempt }) => `${id}@${attempt}`).join(" ");

/** After such a key: a Verify has to be run first, which was replaced after the work. */
export const RETRY = " retry";

/** In the place of such a key: nothing is left to hand out, and nothing is left uncommitted. */
export const AT_END = "end";

/** Which attempt at a task this is. The journal counts too, in case the state was rewritten. */
export function attemptAt(task: Task, state: State, loop: Loop): number {
  const cached = state.taskIndex === task.index ? (state.taskIteration ?? 1) : 1;
  return Math.max(loop.attempts[task.id] ?? 1, cached);
}
