import { taskText } from "./edit/tick.ts";
import type { Task, TaskList } from "./model.ts";

/** `**Do**: …`, `**Do:** …` and `_Requirements: …_`, each with or without a bullet. */
const FIELD =
  /^(\s*)([-*+]\s+)?(?:\*\*([A-Z][A-Za-z ]{1,20}?)(?::\*\*|\*\*\s*:)|_([A-Z][A-Za-z ]{1,20}?):(?=.*_\s*$))/;
const BULLET = /^\s*(?:[-*+]|\d{1,9}[.)])\s/;

/** The named parts of a task, keyed in lower case. */
export function parseFields(list: TaskList, task: Task): ReadonlyMap<string, string> {
  const fields = new Map<string, string[]>();
  let open: { value: string[]; indent: number; bullet: boolean } | undefined;
  for (const line of taskText(list, task).split(/\r?\n/).slice(1)) {
    const field = FIELD.exec(line);
    if (field !== null) {
      const [head, space = "", bullet, bold, italic] = field;
      const value = line.slice(head.length).trim();
      const first = italic === undefined ? value : value.slice(0, -1).trim();
      open = { value: [first], indent: space.length, bullet: bullet !== undefined };
      fields.set(((bold ?? italic) as string).toLowerCase(), open.value);
    } else if (open !== undefined) {
      if (endsField(line, open)) open = undefined;
      else open.value.push(line.trim());
    }
  }
  return new Map([...fields].map(([name, value]) => [name, value.join("\n").trim()]));
}

/** A note (`> Unblocks: …`) or a bullet beside that of the field is not part of it. */
function endsField(line: string, field: { indent: number; bullet: boolean }): boolean {
  const start = line.search(/\S/);
  if (line[start] === ">") return true;
  return field.bullet && start <= field.indent && BULLET.test(line);
}

/** The files a task says it touches: its **Files**, or, in Spec Kit's dialect, the paths in its title. */
export function parseFiles(list: TaskList, task: Task): readonly string[] {
  const fields = parseFields(list, task);
  const field = fields.get("files") ?? fields.get("file");
  const files = new Set<string>();
  // Every other part stands in backticks: under **Files**, `Makefile` is a file too.
  for (const [i, part] of (field ?? task.title).split("`").entries()) {
    const isName = field !== undefined && i % 2 === 1 && /^\S+$/.test(part);
    for (const word of isName ? [part] : (part.match(/[^\s,;"'()<>|]+/g) ?? [])) {
      const path = normalPath(word);
      if (isName || isPath(path)) files.add(path);
    }
  }
  return [...files];
}

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

/** Has a folder or an extension. Rather too much than too little: who shares a file must wait. */
function isPath(path: string): boolean {
  if (path.length < 4 || path.includes("://")) return false;
  return path.includes("/") || /^\.[A-Za-z]\w{0,9}$/.test(path.slice(path.lastIndexOf(".")));
}
