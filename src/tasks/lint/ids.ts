import type { Task, TaskList } from "../model.ts";
import type { TaskDiagnostic } from "./lint.ts";

/** Ids that are used twice, and numbers that are missing between them. */
export function lintIds(list: TaskList): TaskDiagnostic[] {
  const found: TaskDiagnostic[] = [];
  const firsts = new Map<string, Task>();
  /** By what precedes an id's last number: the tasks with that number. */
  const series = new Map<string, Map<number, Task>>();
  for (const task of list.tasks) {
    if (task.id.startsWith("#")) continue;
    const first = firsts.get(task.id.toLowerCase());
    if (first !== undefined) {
      found.push({
        severity: "error",
        code: "duplicate-id",
        message: `${task.id} is used twice; the first one is on line ${first.line}.`,
        fix: `Give this task its own id, and check what refers to ${task.id}.`,
        line: task.line,
      });
      continue;
    }
    firsts.set(task.id.toLowerCase(), task);
    const [, head = "", digits] = /^(T-?|(?:\d+\.)+)(\d+)$/.exec(task.id) ?? [];
    if (digits === undefined) continue;
    const numbers = series.get(head) ?? new Map<number, Task>();
    series.set(head, numbers.set(Number(digits), task));
  }
  for (const [head, numbers] of series) found.push(...lintGaps(head, numbers));
  return found;
}

function lintGaps(head: string, numbers: ReadonlyMap<number, Task>): TaskDiagnostic[] {
  const found: TaskDiagnostic[] = [];
  const sorted = [...numbers.keys()].sort((a, b) => a - b);
  // A list may continue the T numbers of another one, but a phase begins with its first task.
  let expected = head.startsWith("T") ? (sorted[0] ?? 1) : 1;
  for (const number of sorted) {
    const { id, line } = numbers.get(number) as Task;
    if (number > expected) {
      const digits = id.length - head.length;
      const name = (n: number): string =>
        head + String(n).padStart(head.startsWith("T") ? digits : 1, "0");
      const last = number - 1;
      const missing =
        last === expected ? `${name(last)} is` : `${name(expected)} to ${name(last)} are`;
      found.push({
        severity: "info",
        code: "numbering-gap",
        message: `${missing} missing before ${id}.`,
        fix: "If a task was lost, restore it; otherwise `tasks prioritize --write --renumber` closes the gap.",
        line,
      });
    }
    expected = number + 1;
  }
  return found;
}
