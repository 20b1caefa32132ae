import { BlockReader, type Leaf } from "./blocks.ts";
import { findQuotedLines } from "./heredocs.ts";

export const BOM = "\uFEFF";

/** What ends a line: `\r\n`, `\n`, or nothing at the end of the file. */
export const eolOf = (line: string): string => /\r?\n$/.exec(line)?.[0] ?? "";

/** How a new line ends here: like this one, or like the one above it. */
export function newEol(lines: readonly string[], line: number): string {
  return eolOf(lines[line - 1] ?? "") || eolOf(lines[line - 2] ?? "") || "\n";
}

export const isBlank = (line: string): boolean => line.trim() === "";

/** The white space that a line begins with, after any BOM. */
export const indentOf = (line: string): string => /^\uFEFF?([ \t]*)/.exec(line)?.[1] ?? "";

/** Columns that `space` takes from `column` on; a tab goes to the next multiple of four. */
export function columnAfter(space: string, column = 0): number {
  let at = column;
  for (const character of space) at += character === "\t" ? 4 - (at % 4) : 1;
  return at;
}

/** A list item's bullet, also one that lacks the space before a box, and the column where its text begins. */
export function readBullet(line: string): { bullet: string; content: number } {
  const [, indent = "", bullet = "", gap = ""] =
    /^\uFEFF?([ \t]*)([-*+]|\d{1,9}[.)])(?=\s|$|\[)([ \t]*)/.exec(line) ?? [];
  const end = columnAfter(indent) + bullet.length;
  const content = columnAfter(gap, end);
  return { bullet, content: content - end > 4 ? end + 1 : content };
}

/** What each line is. Front matter reads as a rule and a paragraph, which opens nothing. */
export function readLeaves(lines: readonly string[]): Leaf[] {
  const reader = new BlockReader();
  const { inside } = findQuotedLines(lines);
  return lines.map((line, i) =>
    inside.has(i) ? reader.skip(line) : reader.read(line, i === 0 && line.startsWith(BOM) ? 1 : 0),
  );
}

/** Whether a line says something to a reader; code and comments do not. */
export const isProse = (leaf: Leaf | undefined): boolean =>
  leaf === "text" || leaf === "quote" || leaf === "heading" || leaf === "underline";

/** `## Phase 1: C# ##` says "Phase 1: C#". */
export function headingTitle(text: string): string {
  let start = 0;
  while (text[start] === "#") start++;
  let end = text.length;
  while (text[end - 1] === "#") end--;
  const isClosed = text[end - 1] === " " || text[end - 1] === "\t";
  return text.slice(start, isClosed ? end : text.length).trim();
}
