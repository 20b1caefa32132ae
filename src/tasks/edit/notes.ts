import type { Leaf } from "../../text/blocks.ts";
import { columnAfter, eolOf, indentOf, isBlank, newEol, readBullet } from "../../text/lines.ts";
import type { Task, TaskList } from "../model.ts";
import { parseTasks } from "../parse.ts";

const NOTE = /^\s*(?:[-*+]\s+)?(?:>\s*)?(?:\*\*|_)?(Unblocks|Uncertain)(?:\*\*)?:/i;

/** `> Unblocks: 1.3`, `**Unblocks**: 1.3`: what kind of note a line is. */
export const noteOf = (line: string): string | undefined => NOTE.exec(line)?.[1]?.toLowerCase();

export function hasNote(list: TaskList, task: Task, kind: "unblocks" | "uncertain"): boolean {
  const body = list.lines.slice(task.line, task.endLine);
  return body.some((line) => noteOf(line) === kind);
}

/** The line of a task with tags added before its title. */
export function addTags(line: string, task: Task, tags: readonly string[]): string {
  const text = tags.map((tag) => `[${tag}] `).join("");
  const wanted = [...task.tags, ...tags].join();
  const end = line.trimEnd().length;
  // In odd lines ("**1.2 title**", a second name before the tags) the title is in odd places: hence by trial.
  const box = line.indexOf("]") + 1;
  for (let at = Math.max(box, line.indexOf(task.id, box)) + 1; at <= end; at++) {
    if (at < end && line[at - 1] !== " ") continue;
    const changed = line.slice(0, at) + text + line.slice(at);
    const [read] = parseTasks(changed.trimStart()).tasks;
    if (read?.title === task.title && read.tags.join() === wanted) return changed;
  }
  return line;
}

/**
 * The line after which notes go, below the title even if that runs over several lines, and their text with all line
 * breaks that it needs.
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
  const indent = findBodyIndent(list, task);
  const isLast = eolOf(list.lines[line - 1] as string) === "";
  // Plain text right after a quote would be read as part of it.
  const next = line < task.endLine ? (list.lines[line] as string) : "";
  const parts = notes.map((note) => indent + note);
  if (leaves[line] === "text" && !isBlank(next) && readBullet(next).bullet === "") parts.push("");
  return { line, text: isLast ? eol + parts.join(eol) : parts.map((part) => part + eol).join("") };
}

/** `2.` in the middle of a paragraph does not begin a list, but after a note it would. */
const isInner = (bullet: string): boolean => bullet === "" || /^(?!1[.)])\d/.test(bullet);

/** A further line of the title, not a field. */
const isTitle = (line: string): boolean =>
  isInner(readBullet(line).bullet) &&
  !/^\s*(?:\*\*|_)[A-Z]/.test(line) &&
  noteOf(line) === undefined;

/** How far the text of a task is indented: as what is there already, in tabs or spaces, or up to its title. */
export function findBodyIndent(list: TaskList, task: Task): string {
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
