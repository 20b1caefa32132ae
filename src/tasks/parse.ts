import { BlockReader, splitLines } from "./blocks.ts";
import { readBox } from "./box.ts";
import type { Phase, Task, TaskList } from "./types.ts";

export function parseTasks(text: string): TaskList {
  const lines = splitLines(text);
  const blocks = new BlockReader();
  const tasks: Task[] = [];
  const phases: Phase[] = [];
  /** The task whose text the lines belong to, and the column of its bullet. */
  let current: { -readonly [K in keyof Task]: Task[K] } | undefined;
  let bullet = 0;

  for (let i = frontMatterLines(lines); i < lines.length; i++) {
    const line = lines[i] as string;
    const number = i + 1;
    const leaf = blocks.read(line, i === 0 && line.startsWith("\uFEFF") ? 1 : 0);
    if (leaf === "blank") continue;

    if (blocks.items > 0 && leaf === "text" && line[blocks.start] === "[") {
      const box = readBox(line.slice(blocks.start, blocks.end), blocks.depth > 1);
      if (box !== undefined) {
        const index = tasks.length;
        current = {
          index,
          id: box.id ?? `#${index + 1}`,
          title: box.title,
          tags: box.tags,
          checked: box.checked,
          line: number,
          endLine: number,
          phase: phases.length - 1,
        };
        bullet = blocks.indent;
        tasks.push(current);
        continue;
      }
    }

    if (blocks.depth === 0 && (leaf === "heading" || leaf === "underline")) {
      current = undefined;
      phases.push(
        leaf === "heading"
          ? { title: headingTitle(line.slice(blocks.start, blocks.end)), line: number }
          : { title: (lines[i - 1] as string).trim(), line: number - 1 },
      );
    } else if (current !== undefined) {
      // Looser than Markdown: text right below a task is its own even where it ends the list.
      const below = number === current.endLine + 1 && blocks.items === 0 && leaf !== "rule";
      if (leaf === "verbatim" || blocks.indent > bullet || below) current.endLine = number;
      else current = undefined;
    }
  }
  return { tasks, phases, lines };
}

/** `## Phase 1: C# ##` says "Phase 1: C#". */
export function headingTitle(text: string): string {
  let start = 0;
  while (text[start] === "#") start++;
  let end = text.length;
  while (text[end - 1] === "#") end--;
  const isClosed = text[end - 1] === " " || text[end - 1] === "\t";
  return text.slice(start, isClosed ? end : text.length).trim();
}

/**
 * How many lines of front matter stand above the text. It begins with a key and holds no box: a file
 * may also open with a line of dashes and have another one further down, with all its tasks between.
 */
export function frontMatterLines(lines: readonly string[]): number {
  if (lines[0]?.trim() !== "---") return 0;
  let hasKey = false;
  for (let i = 1; i < lines.length; i++) {
    const line = lines[i] as string;
    if (/^(?:---|\.\.\.)\s*$/.test(line)) return i + 1;
    hasKey ||= /^[\w"'-]+\s*:/.test(line);
    if (line.startsWith("- [") || (!hasKey && line.trim() !== "")) return 0;
  }
  return 0;
}
