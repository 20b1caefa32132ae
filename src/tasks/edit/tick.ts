import type { Task, TaskList } from "../model.ts";

/** The file with one box ticked or cleared; every other byte stays as it was, unless the box was not written as one. */
export function setChecked(list: TaskList, task: Task, checked: boolean): string {
  const lines = [...list.lines];
  if (task.checked !== checked) {
    const line = lines[task.line - 1] as string;
    // Only bullets come before a box, so the first bracket is its own.
    const start = line.indexOf("[");
    lines[task.line - 1] = withBox(line, start, checked ? "x" : " ");
  }
  return lines.join("");
}

/** The line with this mark in its box, and white space on both sides of it. */
function withBox(line: string, start: number, mark: string): string {
  const before = line.slice(0, start);
  const behind = line.slice(line.indexOf("]", start) + 1);
  const gap = /[^\s\uFEFF]$/.test(before) ? " " : "";
  return `${before}${gap}[${mark}]${/^[ \t]/.test(behind) ? "" : " "}${behind.replace(/^[^\S \t\r\n]+/, "")}`;
}

/** A task word for word, with its indentation. */
export function taskText(list: TaskList, task: Task): string {
  const text = list.lines.slice(task.line - 1, task.endLine).join("");
  return (text.startsWith("\uFEFF") ? text.slice(1) : text).trimEnd();
}
