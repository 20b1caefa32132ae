import { findQuotedLines } from "../text/heredocs.ts";
import { indentOf } from "../text/lines.ts";
import { suggest } from "../text/suggest.ts";
import type { Task, TaskList } from "./model.ts";

/** What a task can say about itself, and the names of each field. A new field is one more row. */
const FIELDS = {
  do: ["do"],
  files: ["files", "file"],
  doneWhen: ["done when"],
  verify: ["verify"],
  commit: ["commit"],
  requirements: ["requirements", "requirement", "reqs", "req", "covers"],
  design: ["design"],
  depends: ["depends", "depends on", "dependencies"],
} as const satisfies Record<string, readonly string[]>;

export type FieldName = keyof typeof FIELDS;

export interface Field {
  /** As the file writes it, in lower case. */
  readonly name: string;
  readonly value: string;
  readonly line: number;
  readonly endLine: number;
}

/** `**Do**: …`, `**Do:** …` and `_Requirements: …_`, each with or without a bullet. */
const FIELD =
  /^(\s*)([-*+]\s+)?(?:\*\*([A-Z][A-Za-z ]{1,20}?)(?::\*\*|\*\*\s*:)|_([A-Z][A-Za-z ]{1,20}?):(?=.*_\s*$))/;
const BULLET = /^\s*(?:[-*+]|\d{1,9}[.)])\s/;

/** The named parts of a task, from top to bottom. */
export function readFields({ lines }: TaskList, task: Task): Field[] {
  const fields: { name: string; line: number; values: string[] }[] = [];
  let open: { values: string[]; indent: number; bullet: boolean } | undefined;
  const { inside } = findQuotedLines(lines.slice(task.line - 1, task.endLine));
  let margin = "";
  for (const [i, line] of lines.slice(task.line, task.endLine).entries()) {
    // What a command quotes, **Verify** lines included, is part of the command, with its own indentation.
    if (inside.has(i + 1)) {
      // Once a line is further left, all of it is.
      if (!line.startsWith(margin) && line.trim() !== "") margin = "";
      open?.values.push(line.slice(margin.length).trimEnd());
      continue;
    }
    margin = indentOf(line);
    const field = FIELD.exec(line);
    if (field !== null) {
      const [head, space = "", bullet, bold, italic] = field;
      const value = line.slice(head.length).trim();
      const values = [italic === undefined ? value : value.slice(0, -1).trim()];
      open = { values, indent: space.length, bullet: bullet !== undefined };
      const name = ((bold ?? italic) as string).toLowerCase();
      fields.push({ name, line: task.line + 1 + i, values });
    } else if (open !== undefined) {
      if (endsField(line, open)) open = undefined;
      else open.values.push(line.trim());
    }
  }
  return fields.map(({ name, line, values }) => ({
    name,
    value: values.join("\n").trim(),
    line,
    endLine:
      line +
      Math.max(
        0,
        values.findLastIndex((value) => value !== ""),
      ),
  }));
}

/** A note (`> Unblocks: …`) or a bullet at the level of the field's is not part of it. */
function endsField(line: string, field: { indent: number; bullet: boolean }): boolean {
  const start = line.search(/\S/);
  if (line[start] === ">") return true;
  return field.bullet && start <= field.indent && BULLET.test(line);
}

/** The value of each field by its name in the file; of two with one name, the last counts. */
export const parseFields = (list: TaskList, task: Task): ReadonlyMap<string, string> =>
  new Map(readFields(list, task).map(({ name, value }) => [name, value]));

export const isField = (name: string, field: FieldName): boolean =>
  (FIELDS[field] as readonly string[]).includes(name);

/** The name of a known field that somebody probably meant: `verfy` is `verify`. */
export function fieldMeant(name: string): string | undefined {
  const known: readonly string[] = Object.values(FIELDS).flat();
  return known.includes(name) ? undefined : suggest(name, known);
}

export const findField = (list: TaskList, task: Task, name: FieldName): Field | undefined =>
  readFields(list, task).findLast((field) => isField(field.name, name));

export const fieldOf = (list: TaskList, task: Task, name: FieldName): string | undefined =>
  findField(list, task, name)?.value;

/** The field of the table that begins on a line. */
export function fieldAt(line: string): FieldName | undefined {
  const [, , , bold, italic] = FIELD.exec(line) ?? [];
  const name = (bold ?? italic)?.toLowerCase() ?? "";
  return (Object.keys(FIELDS) as FieldName[]).find((field) => isField(name, field));
}

/** The files a task says it touches: its **Files**, or, in Spec Kit's dialect, the paths in its title. */
export function parseFiles(list: TaskList, task: Task): readonly string[] {
  const field = fieldOf(list, task, "files");
  const files = new Set<string>();
  // Every other part was in backticks: under **Files**, `Makefile` is a file too.
  for (const [i, part] of (field ?? task.title).split("`").entries()) {
    const isName = field !== undefined && i % 2 === 1 && /^\S+$/.test(part);
    for (const path of isName ? [normalPath(part)] : findPaths(part)) files.add(path);
  }
  return [...files];
}

/** The paths in a text, commands included. */
export const findPaths = (text: string): string[] =>
  (text.match(/[^\s,;"'()<>|`]+/g) ?? []).map(normalPath).filter(isPath);

/** One spelling for one file: `./src/a.ts`, `src\a.ts`, `src/a.ts:12` and `**src/a.ts**` are the same. */
function normalPath(word: string): string {
  let path = word.replaceAll("\\", "/");
  if (path.startsWith("**") && path.endsWith("**")) path = path.slice(2, -2);
  if (path.startsWith("[") && path.endsWith("]")) path = path.slice(1, -1);
  const lineNumber = path.search(/:\d/);
  if (lineNumber > 1) path = path.slice(0, lineNumber);
  let end = path.length;
  while (end > 0 && ".:!?".includes(path.charAt(end - 1))) end--;
  return path.slice(path.startsWith("./") ? 2 : 0, end);
}

/** Has a folder or an extension. Better too many than too few: tasks that share a file must wait. */
function isPath(path: string): boolean {
  if (path.length < 4 || path.includes("://")) return false;
  return path.includes("/") || /^\.[A-Za-z]\w{0,9}$/.test(path.slice(path.lastIndexOf(".")));
}
