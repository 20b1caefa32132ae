import { findInterruption, isUnworked } from "../run/claim/task-history.ts";
import type { HandOut } from "../run/hand-out.ts";
import type { Entry, Loop } from "../run/journal.ts";
import type { State } from "../run/state.ts";
import type { Spec } from "../store/spec.ts";
import { groupOf } from "../tasks/groups.ts";
import type { Task, TaskList } from "../tasks/model.ts";
import { MAX_NAMED, readWork } from "./read-work.ts";

interface Standing {
  readonly state: State;
  readonly loop: Loop;
  readonly entries: readonly Entry[];
}

/** A hand-out with what a session that is gone had begun, and what still lies uncommitted from earlier attempts. */
export function withInterruptions(
  spec: Spec,
  brief: HandOut,
  list: TaskList,
  { state, loop, entries }: Standing,
): HandOut {
  const commitSpec = state.commitSpec === true;
  const current = brief.current.map((task) => {
    const startedAt = findInterruption(entries, list, task.index, loop.run);
    const { uncommitted: left } = task.history;
    if (startedAt === null && left.length === 0) return task;
    const own = list.tasks[task.index] as Task;
    const { uncommitted: found } = readWork(spec, list, own, entries, { commitSpec });
    const uncommitted =
      startedAt === null ? left.filter((name) => found.includes(name)) : found.slice(0, MAX_NAMED);
    return { ...task, history: { ...task.history, startedAt, uncommitted } };
  });
  return { ...brief, current };
}

/**
 * What is uncommitted when the first agent of a task, or of its group, is about to come, although it was not when the
 * task got ready: nobody was sent to do that.
 */
export function listThere(
  spec: Spec,
  list: TaskList,
  task: Task,
  { state, loop, entries }: Standing,
): readonly string[] {
  const isFirst = groupOf(list, task).every(
    ({ id, index }) =>
      isUnworked(
        entries.filter((entry) => entry.task === id),
        () => undefined,
      ) && findInterruption(entries, list, index, loop.run) === null,
  );
  const commitSpec = state.commitSpec === true;
  return isFirst ? readWork(spec, list, task, entries, { commitSpec }).uncommitted : [];
}
