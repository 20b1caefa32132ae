import type { Leaf } from "../../text/blocks.ts";
import { columnAfter, eolOf, indentOf, isBlank, newEol, readBullet } from "../../text/lines.ts";
import { parseTasks } from "../parse.ts";
import type { Task, TaskList } from "../model.ts";

const NOTE = /^\s*(?:[-*+]\s+)?(?:>\s*)?(?:\*\*|_)?(Unblocks|Uncertain)(?:\*\*)?:/i;

/** `> Unblocks: 1.3`, `**Unblocks**: 1.3`: what kind of note a line is. */
export const noteOf = (line: string): string | undefined => NOTE.exec(line)?.[1]?.toLowerCase();

export function hasNote(list: TaskList, task: Task, kind: "unblocks" | "uncertain"): boolean {
  const body = list.lines.slice(task.line, task.endLine);
  return body.some((line) => noteOf(line) === kind);
}

/** The line of a task with tags put in front of its title. */
export function addTags(line: string, task: Task, tags: readonly string[]): string {
  const text = tags.map((tag) => `[${tag}] `).join("");
  const wanted = [...task.tags, ...tags].join();
  // Odd lines ("**1.2 title**", a second name in front of the tags) have their title in odd places.
  for (const at of titleStarts(line, task)) {
    const changed = line.slice(0, at) + text + line.slice(at);
    const [read] = parseTasks(changed.trimStart()).tasks;
    if (read?.title === task.title && [...read.tags].join() === wanted) return changed;
  }
  return line;
}

function* titleStarts(line: string, task: Task): Generator<number> {
  const end = line.trimEnd().length;
  yield task.title === "" ? end : line.lastIndexOf(task.title, end - 1);
  const box = line.indexOf("]") + 1;
  const id = line.indexOf(task.id, box);
  for (let at = Math.max(box, id); at < end; at++) if (line[at] === " ") yield at + 1;
}

/**
 * Where notes go: under the task line, behind the title where it runs over several lines. With it, what
 * to put in front of them and behind them.
 */
export function placeNotes(
  list: TaskList,
  task: Task,
  leaves: readonly Leaf[],
  notes: readonly string[],
): { line: number; text: string } {
  let { line } = task;
  while (line < task.endLine && leaves[line] === "text" && isTitle(list.lines[line] as string))
    line++;
  const eol = newEol(list.lines, task.line);
  const indent = innerIndent(list, task);
  const isLast = eolOf(list.lines[line - 1] as string) === "";
  // Plain text right behind a quote would be read as part of it.
  const next = line < task.endLine ? (list.lines[line] as string) : "";
  const parts = notes.map((note) => indent + note);
  if (leaves[line] === "text" && !isBlank(next) && readBullet(next).bullet === "") parts.push("");
  return { line, text: isLast ? eol + parts.join(eol) : parts.map((part) => part + eol).join("") };
}

/** `2.` in the middle of a paragraph begins no list, but behind a note it would. */
const isInner = (bullet: string): boolean => bullet === "" || /^(?!1[.)])\d/.test(bullet);

/** A further line of the title, not a field. */
const isTitle = (line: string): boolean =>
  isInner(readBullet(line).bullet) &&
  !/^\s*(?:\*\*|_)[A-Z]/.test(line) &&
  noteOf(line) === undefined;

/** How far the text of a task is indented: as what is there already, in tabs or spaces, or up to its title. */
export function innerIndent(list: TaskList, task: Task): string {
  const own = list.lines[task.line - 1] as string;
  const { content } = readBullet(own);
  for (let line = task.line + 1; line <= task.endLine; line++) {
    const text = list.lines[line - 1] as string;
    const column = columnAfter(indentOf(text));
    // Four columns more would be code.
    if (!isBlank(text) && column >= content && column < content + 4) return indentOf(text);
  }
  const outer = indentOf(own);
  return outer + " ".repeat(Math.max(1, content - columnAfter(outer)));
}
