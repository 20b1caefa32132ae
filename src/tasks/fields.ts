import { taskText } from "./edit.ts";
import type { Task, TaskList } from "./types.ts";

const BOLD_FIELD = /^\s*(?:[-*+]\s+)?\*\*([A-Z][A-Za-z ]{1,20}?)(?::\*\*|\*\*\s*:)\s*(.*)$/;
const ITALIC_FIELD = /^\s*(?:[-*+]\s+)?_([A-Z][A-Za-z ]{1,20}?):\s*(.*?)_\s*$/;

/** `**Do**: …`, `**Files**: …`, `_Requirements: …_`: each named part of a task, keyed in lower case. */
export function parseFields(list: TaskList, task: Task): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  let name: string | undefined;
  for (const line of taskText(list, task).split(/\r?\n/).slice(1)) {
    const field = BOLD_FIELD.exec(line) ?? ITALIC_FIELD.exec(line);
    if (field !== null) {
      name = (field[1] as string).toLowerCase();
      fields.set(name, (field[2] as string).trim());
    } else if (name !== undefined) {
      fields.set(name, `${fields.get(name) ?? ""}\n${line.trim()}`.trim());
    }
  }
  return fields;
}

const PATH = /(?:[\w.@~-]+\/)+[\w.@*-]+|[\w-]+(?:\.[\w-]+)*\.[A-Za-z]\w{0,9}/g;

/** The files a task says it touches: its **Files**, or, in Spec Kit's dialect, the paths in its title. */
export function parseFiles(list: TaskList, task: Task): readonly string[] {
  const field = parseFields(list, task).get("files");
  const text = field ?? task.title;
  const quoted = [...text.matchAll(/`([^`\n]+)`/g)].map((match) => match[1] as string);
  const found = quoted.length > 0 ? quoted : (text.match(PATH) ?? []);
  return [...new Set(found.map((path) => path.trim().replace(/^\.\//, "")))];
}
