import { findQuotedLines } from "../../text/heredocs.ts";
import { readLeaves } from "../../text/lines.ts";
import { readBox } from "../box.ts";
import type { Task, TaskList } from "../model.ts";
import type { TaskDiagnostic } from "./lint.ts";

/** Lines that look like tasks in places where nothing is a task. */
export function lintFences(list: TaskList): TaskDiagnostic[] {
  const leaves = readLeaves(list.lines);
  const { inside } = findQuotedLines(list.lines);
  const found: TaskDiagnostic[] = [];
  for (let i = 0; i < leaves.length; i++) {
    if ((leaves[i] !== "other" && leaves[i] !== "verbatim") || inside.has(i)) continue;
    let end = i + 1;
    for (let at = end; leaves[at] === "verbatim" || leaves[at] === "blank"; at++) {
      if (leaves[at] === "verbatim") end = at + 1;
    }
    found.push(...lintBlock(list, i, end));
    i = end - 1;
  }
  return found;
}

const BOX_LINE = /^[\s>]*(?:[-*+]|\d{1,9}[.)])[ \t]+(\[.*\S)\s*$/;

/** The block from line index `start` to `end`, exclusive; its first line opens it. */
function lintBlock({ lines }: TaskList, start: number, end: number): TaskDiagnostic[] {
  const boxes = lines.slice(start, end).flatMap((line, i) => {
    const text = BOX_LINE.exec(line)?.[1] ?? "";
    const box = readBox(text, false);
    // Without an id it is an example more often than a task.
    return box === undefined ? [] : [{ line: start + 1 + i, id: readBox(text, true)?.id }];
  });
  if (boxes.length === 0) return [];
  const opening = (lines[start] as string)
    .replace(/^\uFEFF?[\s>]*(?:(?:[-*+]|\d+[.)])[ \t]+)*/, "")
    .trim();
  const isComment = opening.startsWith("<!--");
  const kind = isComment ? "comment" : opening.startsWith("<") ? "piece of HTML" : "code block";
  if (isUnclosed(opening, lines.slice(start + 1, end))) {
    const count = boxes.length === 1 ? "box below it is" : `${boxes.length} boxes below it are`;
    const mark = isComment ? "-->" : (/^(?:`+|~+)/.exec(opening)?.[0] ?? "");
    return [
      {
        severity: "warning",
        code: "unclosed-fence",
        message: `This ${kind} is never closed, so the ${count} not counted.`,
        fix: `Close it with ${mark} on its own line, above the tasks.`,
        line: start + 1,
      },
    ];
  }
  const [first, ...others] = boxes.filter(({ id }) => id !== undefined);
  if (first === undefined) return [];
  const looks =
    others.length === 0
      ? `${first.id} looks like a task, but it is`
      : `${first.id} and ${others.length} more look like tasks, but they are`;
  return [
    {
      severity: "info",
      code: "box-in-fence",
      message: `${looks} inside a ${kind} and not counted.`,
      fix: "If this is work to do, move it out; if it is an example, leave it.",
      line: first.line,
    },
  ];
}

/** The list item around a fence may end before the fence does. That closes it too, but hardly on purpose. */
function isUnclosed(opening: string, rest: readonly string[]): boolean {
  const last = rest.at(-1)?.trim() ?? "";
  if (opening.startsWith("<!--")) return !opening.slice(4).includes("-->") && !last.includes("-->");
  const fence = /^(`{3,}|~{3,})/.exec(opening)?.[1];
  if (fence === undefined) return false;
  return !(last.startsWith(fence) && last.replaceAll(fence.charAt(0), "") === "");
}

/** `<<EOF` without its EOF: what it was to quote is read as tasks. One that nothing follows does no harm. */
export function lintHeredocs({ lines, tasks }: TaskList): TaskDiagnostic[] {
  const { unclosed } = findQuotedLines(lines);
  if (unclosed.length === 0) return [];
  /** By the index of a line: the first task without an id from there on. */
  const next: (Task | undefined)[] = [];
  const loose = tasks.filter(({ id }) => id.startsWith("#"));
  for (let i = lines.length - 1, at = loose.length - 1; i >= 0; i--) {
    next[i] = loose[at]?.line === i + 1 ? loose[at--] : next[i + 1];
  }
  return unclosed.flatMap(({ line, until, end }) => {
    const first = next[line + 1];
    if (first === undefined || first.line > until) return [];
    return [
      {
        severity: "warning",
        code: "unclosed-heredoc",
        message: `What this command quotes never ends, or has a box with an id in it, so ${first.id} on line ${first.line} is a task.`,
        fix: `If it belongs to the quoted text, end that with ${end} on its own line and leave ids out of its boxes; if it is a task, leave it.`,
        line: line + 1,
      },
    ];
  });
}
