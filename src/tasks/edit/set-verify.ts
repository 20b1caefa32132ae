import { eolOf } from "../../text/lines.ts";
import { fieldOf, findField, readFields } from "../fields.ts";
import type { Task, TaskList } from "../model.ts";
import { parseTasks } from "../parse.ts";
import { parseCommands } from "../verify-command.ts";

/** The file with another Verify in a task. Undefined if the result would not read back as the old list with just that. */
export function setVerify(list: TaskList, task: Task, command: string): string | undefined {
  const lines = [...list.lines];
  const code = command.includes("`") ? `\`\` ${command} \`\`` : `\`${command}\``;
  const old = findField(list, task, "verify");
  const start = old?.line ?? task.line + 1;
  const last = lines[(old?.endLine ?? task.line) - 1] as string;
  const eol = eolOf(last) || "\n";
  if (old === undefined) lines[task.line - 1] = (lines[task.line - 1] as string).trimEnd() + eol;
  const count = old === undefined ? 0 : old.endLine - old.line + 1;
  lines.splice(start - 1, count, `${headOf(list, task, old?.line)} ${code}${eol}`);
  const text = lines.join("");
  return isOnlyThat(list, parseTasks(text), task, command) ? text : undefined;
}

/** The name of the field as the task writes it, or like the other fields of the task. */
function headOf(list: TaskList, task: Task, line: number | undefined): string {
  const written = line === undefined ? "" : (list.lines[line - 1] as string);
  const own = /^\s*(?:[-*+]\s+)?\*\*[A-Za-z ]+(?::\*\*|\*\*\s*:)/.exec(written)?.[0];
  if (own !== undefined) return own;
  const [other] = readFields(list, task);
  const sample = other === undefined ? "" : (list.lines[other.line - 1] as string);
  return `${/^\s+(?:[-*+]\s+)?/.exec(sample)?.[0] ?? "  - "}**Verify**:`;
}

function isOnlyThat(before: TaskList, after: TaskList, task: Task, command: string): boolean {
  const isSame = (one: Task, i: number): boolean => {
    const other = after.tasks[i];
    return other?.id === one.id && other.checked === one.checked && other.title === one.title;
  };
  const made = after.tasks[task.index];
  return (
    made !== undefined &&
    after.tasks.length === before.tasks.length &&
    before.tasks.every(isSame) &&
    parseCommands(fieldOf(after, made, "verify") ?? "").join("\n") === command
  );
}
