import type { Task, TaskList } from "../model.ts";

/** The file with one box ticked or cleared; every other byte stays as it was. */
export function setChecked(list: TaskList, task: Task, checked: boolean): string {
  const lines = [...list.lines];
  const line = lines[task.line - 1] as string;
  // Only bullets come before a box, so the first bracket is its own.
  const box = line.indexOf("[") + 1;
  const isChecked = line[box] === "x" || line[box] === "X";
  if (isChecked !== checked) {
    lines[task.line - 1] = line.slice(0, box) + (checked ? "x" : " ") + line.slice(box + 1);
  }
  return lines.join("");
}

/** A task word for word, with its indentation. */
export function taskText(list: TaskList, task: Task): string {
  const text = list.lines.slice(task.line - 1, task.endLine).join("");
  return (text.startsWith("\uFEFF") ? text.slice(1) : text).trimEnd();
}
