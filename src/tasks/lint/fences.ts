import { readBox } from "../box.ts";
import { readLeaves } from "../../text/lines.ts";
import type { TaskDiagnostic } from "./lint.ts";
import type { TaskList } from "../model.ts";

/** Lines that look like tasks in places where nothing is a task. */
export function lintFences(list: TaskList): TaskDiagnostic[] {
  const leaves = readLeaves(list.lines);
  const found: TaskDiagnostic[] = [];
  for (let i = 0; i < leaves.length; i++) {
    if (leaves[i] !== "other" && leaves[i] !== "verbatim") continue;
    let end = i + 1;
    for (let at = end; leaves[at] === "verbatim" || leaves[at] === "blank"; at++) {
      if (leaves[at] === "verbatim") end = at + 1;
    }
    found.push(...lintBlock(list, i, end));
    i = end - 1;
  }
  return found;
}

/** The block from line index `start` to `end`, exclusive; it begins with what opens it. */
function lintBlock(list: TaskList, start: number, end: number): TaskDiagnostic[] {
  const boxes: string[] = [];
  let first = 0;
  let count = 0;
  for (let i = start; i < end; i++) {
    const text = /^[\s>]*(?:[-*+]|\d{1,9}[.)])[ \t]+(\[.*\S)\s*$/.exec(
      list.lines[i] as string,
    )?.[1];
    const box = text === undefined ? undefined : readBox(text, false);
    if (box === undefined) continue;
    count++;
    const id = readBox(text as string, true)?.id;
    if (id === undefined) continue;
    if (boxes.length === 0) first = i + 1;
    boxes.push(id);
  }
  if (count === 0) return [];
  const opens = (list.lines[start] as string)
    .replace(/^\uFEFF?[\s>]*(?:(?:[-*+]|\d+[.)])[ \t]+)*/, "")
    .trim();
  const kind = opens.startsWith("<!--")
    ? "comment"
    : opens.startsWith("<")
      ? "piece of HTML"
      : "code block";
  if (isUnclosed(opens, list.lines.slice(start + 1, end))) {
    return [
      {
        severity: "warning",
        code: "unclosed-fence",
        message: `This ${kind} is never closed, and the ${plural(count)} below it do not count.`,
        fix: `Close it with ${kind === "comment" ? "-->" : (/^(?:`+|~+)/.exec(opens)?.[0] ?? "")} on a line of its own, above the tasks.`,
        line: start + 1,
      },
    ];
  }
  if (boxes.length === 0) return [];
  const others = boxes.length > 1 ? ` and ${boxes.length - 1} more` : "";
  return [
    {
      severity: "info",
      code: "box-in-fence",
      message: `${boxes[0]}${others} looks like a task, but stands in a ${kind} and does not count.`,
      fix: "If it is work to do, move it out; if it is an example, leave it.",
      line: first,
    },
  ];
}

const plural = (count: number): string => (count === 1 ? "box" : `${count} boxes`);

/** The list item around a fence may end before the fence does: that closes it too, but hardly on purpose. */
function isUnclosed(opens: string, rest: readonly string[]): boolean {
  const last = rest.at(-1)?.trim() ?? "";
  if (opens.startsWith("<!--")) return !opens.slice(4).includes("-->") && !last.includes("-->");
  const fence = /^(`{3,}|~{3,})/.exec(opens)?.[1];
  if (fence === undefined) return false;
  return !(last.startsWith(fence) && last.replaceAll(fence.charAt(0), "") === "");
}
