import { setVerify } from "../../tasks/edit/set-verify.ts";
import type { Task, TaskList } from "../../tasks/model.ts";
import { commandsOf } from "../agreement.ts";
import type { Entry } from "../journal.ts";
import { LIMITS } from "../state.ts";

/** A Verify that was changed during a run, as the receipt lists it. */
export interface Amendment {
  readonly task: string;
  readonly old: string;
  readonly new: string;
  readonly reason: string;
}

export type PlannedAmendment =
  | { readonly kind: "refused"; readonly why: string }
  | { readonly kind: "amended"; readonly tasks: string; readonly amendment: Amendment };

/** Another Verify for a task whose own turned out to be wrong. */
export function planAmendment(
  list: TaskList,
  task: Task,
  command: string,
  reason: string,
  entries: readonly Entry[],
): PlannedAmendment {
  if (task.checked) {
    return { kind: "refused", why: `${task.id} is ticked, so its Verify has done its work` };
  }
  const before = entries.filter(({ amendment }) => amendment?.task === task.id).length;
  if (before >= LIMITS.maxAmendments) {
    const why = `the Verify of ${task.id} has been changed ${before} times, which is the limit: report it with fail`;
    return { kind: "refused", why };
  }
  const tasks = setVerify(list, task, command);
  if (tasks === undefined) {
    return {
      kind: "refused",
      why: `tasks.md cannot take \`${command}\` as the Verify of ${task.id}`,
    };
  }
  const old = commandsOf(list, task).join(" && ");
  return { kind: "amended", tasks, amendment: { task: task.id, old, new: command, reason } };
}
