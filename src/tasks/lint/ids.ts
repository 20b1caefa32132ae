import { groupBy } from "../../text/group.ts";
import { oneLine } from "../../text/template.ts";
import { counted } from "../../text/wording.ts";
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
    // 3.6a takes the place of 3.6.
    const [, head = "", digits] = /^(T-?|T?(?:\d+[A-Za-z]?\.)+)(\d+)[A-Za-z]?$/.exec(task.id) ?? [];
    if (digits === undefined) continue;
    const numbers = series.get(head) ?? new Map<number, Task>();
    const number = Number(digits);
    series.set(head, numbers.set(number, numbers.get(number) ?? task));
  }
  for (const [head, numbers] of series) found.push(...lintGaps(head, numbers));
  return [...found, ...lintChecklists(list)];
}

/** In a list with ids, a section whose boxes have none is mostly a "Definition of Done". */
function lintChecklists({ tasks, phases }: TaskList): TaskDiagnostic[] {
  const named = tasks.filter(({ id }) => !id.startsWith("#"));
  if (named.length * 2 < tasks.length) return [];
  const withIds = new Set(named.map(({ phase }) => phase));
  const bare = tasks.filter(({ checked, phase }) => !checked && !withIds.has(phase) && phase >= 0);
  return [...groupBy(bare, ({ phase }) => phase)].map(([phase, boxes]) => ({
    severity: "info",
    code: "boxes-without-ids",
    message: `The other tasks have ids, but not those under "${oneLine(phases[phase]?.title ?? "", 60)}": ${counted(boxes.length, "open task")}.`,
    fix: "If this is a checklist, remove the boxes; if not, give the tasks ids.",
    line: (boxes[0] as Task).line,
  }));
}

function lintGaps(head: string, numbers: ReadonlyMap<number, Task>): TaskDiagnostic[] {
  const found: TaskDiagnostic[] = [];
  const sorted = [...numbers.keys()].sort((a, b) => a - b);
  // A list may continue the T numbers of another one, but a phase begins with its first task.
  let expected = head.startsWith("T") ? (sorted[0] ?? 1) : 1;
  for (const number of sorted) {
    const { id, line } = numbers.get(number) as Task;
    if (number > expected) {
      const digits = /^\d*/.exec(id.slice(head.length))?.[0].length ?? 0;
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
