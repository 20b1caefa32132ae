import { isHeading, isRule, splitLines, walk, type Line } from "./blocks.ts";
import type { Phase, Task, TaskList } from "./types.ts";

const BOX = /^([-*+]|\d{1,9}[.)])[ \t]+\[([ xX])\](?:[ \t]+(.*))?$/;
const BOLD = /^(\*\*|__)(.*)$/;
/** `1.2`, `T012`, `V4`, `VF`, `VE2`. A bare number is an id only with a mark behind it: "3 retries" is a title. */
const ID =
  /^(?:Task[ \t]+)?(T\d{1,5}[a-z]?|VE\d{1,2}|VF|V\d{1,2}|\d+(?:\.\d+)+|\d+(?=[.):]))[.):]?(?=[\s*_]|$)/;
const TAG = /^\[([A-Za-z][^[\]]{0,60})\](?!\()[ \t]*/;

export function parseTasks(text: string): TaskList {
  const lines = splitLines(text);
  const tasks: Task[] = [];
  const phases: Phase[] = [];
  let current: Draft | undefined;

  const close = (): void => {
    if (current !== undefined) tasks.push(current);
    current = undefined;
  };

  for (const line of walk(lines)) {
    const box = readBox(line);
    if (box !== undefined) {
      close();
      const index = tasks.length;
      current = {
        index,
        ...box,
        id: box.id ?? `#${index + 1}`,
        line: line.number,
        endLine: line.number,
        phase: phases.length - 1,
      };
    } else if (isHeading(line)) {
      close();
      phases.push({ title: line.text.replace(/^[\s#]+|[\s#]+$/g, ""), line: line.number });
    } else if (current !== undefined && !line.blank) {
      if (belongsTo(current, line)) current.endLine = line.number;
      else close();
    }
  }
  close();
  return { tasks, phases, lines };
}

type Draft = { -readonly [K in keyof Task]: Task[K] };

function belongsTo(task: Task, line: Line): boolean {
  if (line.verbatim || line.nested || line.indent > 0) return true;
  const directlyBelow = line.number === task.endLine + 1;
  return directlyBelow && !isRule(line) && !/^(?:[-*+]|\d{1,9}[.)])\s/.test(line.text);
}

function readBox(
  line: Line,
): (Pick<Task, "title" | "tags" | "checked"> & { id?: string }) | undefined {
  if (line.verbatim || !line.body.includes("[")) return undefined;
  const box = BOX.exec(line.body);
  if (box === null) return undefined;
  const { id, rest } = splitId(box[3] ?? "");
  // A box under a task is one of its steps, unless it carries an id: then it is a sub-task.
  if (line.nested && id === undefined) return undefined;
  const { tags, title } = splitTags(rest);
  return { ...(id === undefined ? {} : { id }), tags, title, checked: box[2] !== " " };
}

function splitId(content: string): { id?: string; rest: string } {
  const bold = BOLD.exec(content);
  const mark = bold?.[1];
  const inner = bold?.[2] ?? content;
  const id = ID.exec(inner);
  if (id === null) return { rest: content };
  let rest = inner.slice(id[0].length);
  if (mark !== undefined) rest = withoutMark(rest, mark);
  return { id: id[1] as string, rest: rest.replace(/^[.):]?[ \t]+/, "") };
}

/** `**1.2** title` and `**1.2 title**` both open bold in front of the id; drop its other half. */
function withoutMark(rest: string, mark: string): string {
  const end = rest.indexOf(mark);
  return end === -1 ? rest : rest.slice(0, end) + rest.slice(end + mark.length);
}

function splitTags(content: string): { tags: string[]; title: string } {
  const tags: string[] = [];
  let rest = content;
  for (let tag = TAG.exec(rest); tag !== null; tag = TAG.exec(rest)) {
    tags.push((tag[1] as string).trim().toUpperCase());
    rest = rest.slice(tag[0].length);
  }
  return { tags, title: rest.trim() };
}
