import { listCopies } from "../../tasks/edit/fix-task.ts";
import { setVerify } from "../../tasks/edit/set-verify.ts";
import type { Task, TaskList } from "../../tasks/model.ts";
import { parseTasks } from "../../tasks/parse.ts";
import { parseVerify } from "../../tasks/verify/verify.ts";
import { commandsOf } from "../agreement.ts";
import type { Amendment, Entry } from "../journal.ts";
import { LIMITS } from "../state.ts";

export interface Amended {
  readonly task: Task;
  /** As the user agrees to them. */
  readonly commands: readonly string[];
  readonly amendment: Amendment;
}

export type PlannedAmendment =
  | { readonly kind: "refused"; readonly why: string }
  | {
      readonly kind: "amended";
      readonly tasks: string;
      /** Of the task itself, then of each copy of its Verify. */
      readonly made: readonly Amended[];
    };

/** Another Verify for a task whose own turned out to be wrong, wherever it was copied to. */
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
  let now = list;
  const all = [task, ...listCopies(list, task)];
  for (const one of all) {
    const tasks = setVerify(now, now.tasks[one.index] as Task, command);
    if (tasks === undefined) {
      return {
        kind: "refused",
        why: `tasks.md cannot take \`${command}\` as the Verify of ${one.id}.`,
      };
    }
    now = parseTasks(tasks);
  }
  const made = all.map(({ index, id }) => {
    const after = now.tasks[index] as Task;
    const commands = commandsOf(now, after);
    const old = commandsOf(list, list.tasks[index] as Task).join(", ");
    return {
      task: after,
      commands,
      amendment: { task: id, old, new: commands.join(", "), reason },
    };
  });
  return { kind: "amended", tasks: now.lines.join(""), made };
}
