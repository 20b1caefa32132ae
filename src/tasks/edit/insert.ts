import { BOM, eolOf, indentOf, isBlank, newEol } from "../../text/lines.ts";
import { innerIndent } from "./notes.ts";
import type { Task, TaskList } from "../model.ts";
import { isClosed, type Unit, unitAt } from "./movable-blocks.ts";

export interface NewTask {
  /** Undefined: a box without an id, which must not be nested in another task. */
  readonly id: string | undefined;
  readonly tags?: readonly string[];
  readonly title: string;
  /** By name (`Do`, `Files` …), or as lines of their own, without the indentation of the task. */
  readonly fields?: ReadonlyMap<string, string> | readonly string[];
}

export type Place = { readonly after: Task } | { readonly before: Task };

/**
 * The file with one more task beside another, written as that one is: indentation, bullet, mark around
 * the id, line endings, blank lines between tasks. "After" a task is after its sub-tasks as well.
 * No byte of the rest changes.
 */
export function insertTask(list: TaskList, task: NewTask & Place): string {
  const anchor = "after" in task ? task.after : task.before;
  const unit = unitAt(list, anchor);
  const eol = newEol(list.lines, anchor.line);
  const text = writeTask(list, anchor, task).join(eol);
  const gap = isSpaced(list, unit) ? eol : "";
  // Behind an unclosed fence it would not be a task: then in front is the only place beside it.
  if ("before" in task || !isClosed(list, unit)) {
    return splice(list, anchor.line - 1, text + eol + gap);
  }
  const isLast = eolOf(list.lines[unit.endLine - 1] as string) === "";
  return splice(list, unit.endLine, isLast ? eol + gap + text : gap + text + eol);
}

function splice({ lines }: TaskList, at: number, text: string): string {
  const before = lines.slice(0, at).join("");
  const after = lines.slice(at).join("");
  // A BOM stays the first character of the file.
  const mark = at === 0 && after.startsWith(BOM) ? BOM : "";
  return before + mark + text + after.slice(mark.length);
}

/** Whether an empty line sets tasks apart here, as seen at the next one or else at the one before. */
function isSpaced({ tasks, lines }: TaskList, unit: Unit): boolean {
  const { phase } = tasks[unit.first] as Task;
  const isApart = (line: number): boolean => isBlank(lines[line - 2] ?? "none");
  const next = tasks[unit.end];
  if (next?.phase === phase) return isApart(next.line);
  return tasks[unit.first - 1]?.phase === phase && isApart(unit.line);
}

function writeTask(list: TaskList, anchor: Task, task: NewTask): string[] {
  const line = (list.lines[anchor.line - 1] as string).replace(BOM, "");
  const [, bullet = "- "] = /^\s*([^\s[][^[]*)(?=\[)/.exec(line) ?? [];
  const words = [
    ...(task.tags ?? []).map((tag) => `[${tag}]`),
    task.title.replace(/\s+/g, " ").trim(),
  ];
  const title = dressId(line, anchor, task.id, words.join(" ").trim());
  const indent = innerIndent(list, anchor);
  const fields = writeFields(task.fields ?? [], bodyBullet(list, anchor));
  return [
    `${indentOf(line)}${bullet}[ ] ${title}`.trimEnd(),
    ...fields.map((text) => (isBlank(text) ? "" : indent + text)),
  ];
}

function writeFields(fields: NonNullable<NewTask["fields"]>, bullet: string): string[] {
  const lines =
    fields instanceof Map
      ? [...fields].flatMap(([name, value]) => writeField(name, value))
      : [...fields.values()].flatMap((text) => text.split(/\r?\n/));
  return lines.map((line) => (/^(?:\*\*|_)[A-Z]/.test(line) ? bullet + line : line));
}

function writeField(name: string, value: string): string[] {
  const [first = "", ...rest] = value.split(/\r?\n/);
  return [`**${name}**: ${first}`.trimEnd(), ...rest.map((text) => `  ${text}`)];
}

/** Fields stand as bullets in some files, as plain lines in others. */
function bodyBullet({ lines }: TaskList, { line, endLine }: Task): string {
  const field = /^\s*([-*+][ \t]+)?(?:\*\*|_)[A-Z]/;
  const found = lines
    .slice(line, endLine)
    .map((text) => field.exec(text))
    .find((match) => match !== null);
  return found === undefined ? "- " : (found[1] ?? "");
}

/** `**1.2** title`, `1.2: title`, `Task 1.2 title`: the new id is dressed like the one beside it. */
function dressId(line: string, anchor: Task, id: string | undefined, words: string): string {
  if (id === undefined) return words;
  const at = line.indexOf(anchor.id, line.indexOf("]"));
  const front = at === -1 ? "" : (/(?:\*\*|__|`)?(?:Task )?$/.exec(line.slice(0, at))?.[0] ?? "");
  const behind = at === -1 ? "" : line.slice(at + anchor.id.length);
  const mark = front.replace("Task ", "");
  // A bare number is an id only with a point behind it.
  const point = /^[.):](?=\s|[*_`])/.exec(behind)?.[0] ?? (/^\d+$/.test(id) ? "." : "");
  const isTight = behind.replace(/^[.):]/, "").startsWith(mark);
  return isTight
    ? `${front}${id}${point}${mark} ${words}`
    : `${front}${id}${point} ${words}${mark}`;
}
