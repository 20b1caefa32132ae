import { findInterruption } from "../run/claim/task-history.ts";
import type { HandOut } from "../run/hand-out.ts";
import type { Entry, Loop } from "../run/journal.ts";
import type { State } from "../run/state.ts";
import type { Spec } from "../store/spec.ts";
import type { Task, TaskList } from "../tasks/model.ts";
import { MAX_NAMED, readWork } from "./read-work.ts";

/** A hand-out with what a session that is gone had begun, and what lies uncommitted from it. */
export function withInterruptions(
  spec: Spec,
  brief: HandOut,
  list: TaskList,
  { state, loop, entries }: { state: State; loop: Loop; entries: readonly Entry[] },
): HandOut {
  const commitSpec = state.commitSpec === true;
  const current = brief.current.map((task) => {
    const startedAt = findInterruption(entries, list, task.index, loop.run);
    if (startedAt === null) return task;
    const own = list.tasks[task.index] as Task;
    const { uncommitted } = readWork(spec, list, own, entries, { commitSpec });
    const named = uncommitted.slice(0, MAX_NAMED);
    return { ...task, history: { ...task.history, startedAt, uncommitted: named } };
  });
  return { ...brief, current };
}
