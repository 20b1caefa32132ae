import { parseFields } from "../fields.ts";
import { nextFixId } from "../ids.ts";
import type { NewTask } from "./insert.ts";
import { indentOf, isBlank } from "../../text/lines.ts";
import type { Task, TaskList } from "../model.ts";

/** A task `x.y.n [FIX x.y]` that mends another, on its files and with its proof. */
export function fixTask(
  list: TaskList,
  task: Task,
  title: string,
  work: readonly string[],
): NewTask {
  return {
    id: nextFixId(list, task.id),
    // A box without an id is addressed by position, and positions change.
    tags: task.id.startsWith("#") ? [] : [`FIX ${task.id}`],
    title,
    fields: [...work, ...copyFields(list, task, ["files", "verify"])],
  };
}

/** Fields of a task as they stand, line by line and fence by fence, without its indentation. */
export function copyFields(list: TaskList, task: Task, names: readonly string[]): string[] {
  const lines = list.lines
    .slice(task.line - 1, task.endLine)
    .map((line) => line.replace(/\r?\n$/, ""));
  const read = (from: number, end?: number): ReadonlyMap<string, string> => {
    // The task's own line is never a field, whatever it says; it may be a long one, and this is asked line by line.
    const part = ["- [ ] x", ...lines.slice(from, end)].map((line) => `${line}\n`);
    return parseFields({ ...list, lines: part }, { ...task, line: 1, endLine: part.length });
  };
  return names.flatMap((name) => {
    let start = lines.length - 1;
    while (start > 0 && !read(start, start + 1).has(name)) start--;
    if (start === 0) return [];
    // The grammar of fields says how many lines this one has; empty ones above the first it leaves out.
    const value = read(start).get(name) as string;
    let end = start + value.split("\n").length;
    if (read(start, start + 1).get(name) === "" && value !== "") {
      end++;
      for (let at = start + 1; isBlank(lines[at] as string); at++) end++;
    }
    const indent = indentOf(lines[start] as string);
    return lines
      .slice(start, end)
      .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line.trimStart()));
  });
}
