import { setVerify } from "../../tasks/edit/set-verify.ts";
import type { Task, TaskList } from "../../tasks/model.ts";
import { parseTasks } from "../../tasks/parse.ts";
import { parseVerify } from "../../tasks/verify/verify.ts";
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
  | {
      readonly kind: "amended";
      readonly tasks: string;
      /** As the user agrees to them. */
      readonly commands: readonly string[];
      readonly amendment: Amendment;
    };

/** Another Verify for a task whose own turned out to be wrong. */
export function planAmendment(
  list: TaskList,
  task: Task,
  command: string,
  reason: string,
  entries: readonly Entry[],
): PlannedAmendment {
  if (task.checked) {
    return { kind: "refused", why: `${task.id} is ticked, so its Verify has done its work.` };
  }
  const before = entries.filter(({ amendment }) => amendment?.task === task.id).length;
  if (before >= LIMITS.maxAmendments) {
    const why = `the Verify of ${task.id} has been changed ${before} times, which is the limit: report it with fail.`;
    return { kind: "refused", why };
  }
  const [check] = parseVerify(`\`\` ${command} \`\``).checks;
  if (check?.doubt !== undefined) {
    return {
      kind: "refused",
      why: `\`${command}\` proves nothing, because ${check.doubt.why}. ${check.doubt.fix}`,
    };
  }
  const tasks = setVerify(list, task, command);
  if (tasks === undefined) {
    return {
      kind: "refused",
      why: `tasks.md cannot take \`${command}\` as the Verify of ${task.id}.`,
    };
  }
  const made = parseTasks(tasks);
  const commands = commandsOf(made, made.tasks[task.index] as Task);
  const old = commandsOf(list, task).join(", ");
  const amendment = { task: task.id, old, new: commands.join(", "), reason };
  return { kind: "amended", tasks, commands, amendment };
}
