import { BOM, eolOf, indentOf, isBlank, newEol } from "../../text/lines.ts";
import type { Task, TaskList } from "../model.ts";
import { isClosed, type TaskTree, treeAt } from "./movable-blocks.ts";
import { findBodyIndent } from "./notes.ts";

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
 * The file with one more task next to another, in the same style: indentation, bullet, mark around the id, line
 * endings, blank lines between tasks. "After" a task is after its sub-tasks as well. No other byte changes.
 */
export function insertTask(list: TaskList, task: NewTask & Place): string {
  const anchor = "after" in task ? task.after : task.before;
  const tree = treeAt(list, anchor);
  const eol = newEol(list.lines, anchor.line);
  const text = formatTask(list, anchor, task).join(eol);
  const gap = isSpaced(list, tree) ? eol : "";
  // After an unclosed fence it would not be a task, so the only place left is before it.
  if ("before" in task || !isClosed(list, tree)) {
    return spliceLines(list, anchor.line - 1, text + eol + gap);
  }
  const isLast = eolOf(list.lines[tree.endLine - 1] as string) === "";
  return spliceLines(list, tree.endLine, isLast ? eol + gap + text : gap + text + eol);
}

function spliceLines({ lines }: TaskList, at: number, text: string): string {
  const before = lines.slice(0, at).join("");
  const after = lines.slice(at).join("");
  // A BOM stays the first character of the file.
  const mark = at === 0 && after.startsWith(BOM) ? BOM : "";
  return before + mark + text + after.slice(mark.length);
}

/** Whether an empty line sets tasks apart here, as seen at the next one or else at the one before. */
function isSpaced({ tasks, lines }: TaskList, tree: TaskTree): boolean {
  const { phase } = tasks[tree.first] as Task;
  const isApart = (line: number): boolean => isBlank(lines[line - 2] ?? "none");
  const next = tasks[tree.end];
  if (next?.phase === phase) return isApart(next.line);
  return tasks[tree.first - 1]?.phase === phase && isApart(tree.line);
}

function formatTask(list: TaskList, anchor: Task, task: NewTask): string[] {
  const line = (list.lines[anchor.line - 1] as string).replace(BOM, "");
  const [, found = "- "] = /^\s*([^\s[][^[]*)(?=\[)/.exec(line) ?? [];
  const bullet = /\s$/.test(found) ? found : `${found} `;
  const words = [
    ...(task.tags ?? []).map((tag) => `[${tag}]`),
    task.title.replace(/\s+/g, " ").trim(),
  ];
  const title = formatId(line, anchor, task.id, words.join(" ").trim());
  const indent = findBodyIndent(list, anchor);
  const fields = formatFields(task.fields ?? [], findFieldBullet(list, anchor));
  return [
    `${indentOf(line)}${bullet}[ ] ${title}`.trimEnd(),
    ...fields.map((text) => (isBlank(text) ? "" : indent + text)),
  ];
}

function formatFields(fields: NonNullable<NewTask["fields"]>, bullet: string): string[] {
  const lines =
    fields instanceof Map
      ? [...fields].flatMap(([name, value]) => formatField(name, value))
      : [...fields.values()].flatMap((text) => text.split(/\r?\n/));
  return lines.map((line) => (/^(?:\*\*|_)[A-Z]/.test(line) ? bullet + line : line));
}

function formatField(name: string, value: string): string[] {
  const [first = "", ...rest] = value.split(/\r?\n/);
  return [`**${name}**: ${first}`.trimEnd(), ...rest.map((text) => `  ${text}`)];
}

/** Fields are bullets in some files and plain lines in others. */
function findFieldBullet({ lines }: TaskList, { line, endLine }: Task): string {
  const field = /^\s*([-*+][ \t]+)?(?:\*\*|_)[A-Z]/;
  const found = lines
    .slice(line, endLine)
    .map((text) => field.exec(text))
    .find((match) => match !== null);
  return found === undefined ? "- " : (found[1] ?? "");
}

/** `**1.2** title`, `1.2: title`, `Task 1.2 title`: the new id is formatted like the one next to it. */
function formatId(line: string, anchor: Task, id: string | undefined, words: string): string {
  if (id === undefined) return words;
  const at = line.indexOf(anchor.id, line.indexOf("]"));
  const front = at === -1 ? "" : (/(?:\*\*|__|`)?(?:Task )?$/.exec(line.slice(0, at))?.[0] ?? "");
  const behind = at === -1 ? "" : line.slice(at + anchor.id.length);
  const mark = front.replace("Task ", "");
  // A bare number is an id only with a point after it.
  const point = /^[.):](?=\s|[*_`])/.exec(behind)?.[0] ?? (/^\d+$/.test(id) ? "." : "");
  const isTight = behind.replace(/^[.):]/, "").startsWith(mark);
  return isTight
    ? `${front}${id}${point}${mark} ${words}`
    : `${front}${id}${point} ${words}${mark}`;
}
