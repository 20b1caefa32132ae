import { indentOf } from "../../text/lines.ts";
import { type FieldName, fieldOf, findField } from "../fields.ts";
import { nextFixId } from "../ids.ts";
import type { Task, TaskList } from "../model.ts";
import { helpedIds, helpTag } from "../tags.ts";
import type { NewTask } from "./insert.ts";

/** A task `x.y.n [FIX x.y]` that fixes another, on its files and with its proof. */
export function planFixTask(
  list: TaskList,
  task: Task,
  title: string,
  work: readonly string[],
): NewTask {
  return {
    id: nextFixId(list, task.id),
    // A box without an id is addressed by position, and positions change.
    tags: task.id.startsWith("#") ? [] : [helpTag("FIX", task.id)],
    title,
    fields: [...work, ...copyFields(list, task, ["files", "verify"])],
  };
}

/**
 * The open tasks that have their Verify from this one, or this one from them: a fix gets the Verify of what it fixes, and
 * if that is wrong, it is wrong in all of them.
 */
export function listCopies(list: TaskList, task: Task): Task[] {
  const verify = fieldOf(list, task, "verify");
  const same =
    verify === undefined ? [] : list.tasks.filter((one) => fieldOf(list, one, "verify") === verify);
  const isFix = (one: Task, of: Task): boolean =>
    helpedIds(one, "FIX").includes(of.id.toUpperCase());
  const found = new Set([task]);
  // A set that grows while it is walked: a fix may have been fixed too.
  for (const known of found)
    for (const one of same) if (isFix(one, known) || isFix(known, one)) found.add(one);
  return [...found].filter((one) => one !== task && !one.checked);
}

/** Fields of a task word for word, without its indentation. */
export function copyFields(list: TaskList, task: Task, names: readonly FieldName[]): string[] {
  return names.flatMap((name) => {
    const field = findField(list, task, name);
    if (field === undefined) return [];
    const indent = indentOf(list.lines[field.line - 1] as string);
    return list.lines
      .slice(field.line - 1, field.endLine)
      .map((line) => line.replace(/\r?\n$/, ""))
      .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line.trimStart()));
  });
}
