import { setChecked } from "../../tasks/edit/tick.ts";
import type { Task, TaskList } from "../../tasks/model.ts";
import { parseTasks } from "../../tasks/parse.ts";
import { locate } from "../../tasks/position.ts";
import type { RunStanding } from "../change/insert-tasks.ts";
import { cacheOf } from "../decide.ts";
import type { Write } from "../decision.ts";
import { type HandOut, planHandOut } from "../hand-out.ts";
import type { Entry, Loop } from "../journal.ts";

/** What goes into the journal with the verdict. */
type JournalFacts = Pick<Entry, "note" | "agent" | "evidence">;

/** A claim that held: the box is ticked, with everything that follows. */
export interface AcceptedClaim {
  /** Written before the rest, unless the box was already ticked. */
  readonly tasks?: string;
  readonly write: Write;
  readonly list: TaskList;
  readonly open: readonly Task[];
  /** What to do next. */
  readonly brief: HandOut;
}

export function planDone(
  standing: RunStanding,
  task: Task,
  head: string,
  said: JournalFacts = {},
): AcceptedClaim {
  const { spec, state } = standing;
  const tasks = setChecked(standing.list, task, true);
  const list = parseTasks(tasks);
  const { total, open } = locate(list);
  const { [task.id]: _, ...attempts } = standing.loop.attempts;
  const loop: Loop = { ...standing.loop, attempts, ticked: total - open.length, head };
  const brief = planHandOut(spec, list, { ...state, taskIteration: 1 }, loop);
  return {
    ...(task.checked ? {} : { tasks }),
    write: { event: "done", task: task.id, ...said, loop, state: cacheOf(brief) },
    list,
    open,
    brief,
  };
}

/** A claim that did not hold. */
export interface RefusedClaim {
  /** Written before the rest: the box must not say what the evidence does not. */
  readonly tasks?: string;
  readonly write: Write;
}

export const planRefusal = (
  { list, loop }: RunStanding,
  task: Task,
  said: JournalFacts,
): RefusedClaim => ({
  ...(task.checked ? { tasks: setChecked(list, task, false) } : {}),
  write: { event: "refused", task: task.id, ...said, loop },
});
