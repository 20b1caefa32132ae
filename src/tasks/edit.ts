import type { Task, TaskList } from "./types.ts";

/** The file with one box ticked or cleared; every other byte stays as it was. */
export function setChecked(list: TaskList, task: Task, checked: boolean): string {
  const lines = [...list.lines];
  const at = task.line - 1;
  lines[at] = (lines[at] as string).replace(/\[[ xX]\]/, checked ? "[x]" : "[ ]");
  return lines.join("");
}

/** A task as it stands in the file, with its common indentation. */
export function taskText(list: TaskList, task: Task): string {
  return list.lines
    .slice(task.line - 1, task.endLine)
    .join("")
    .trimEnd();
}
