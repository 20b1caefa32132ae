import { BlockReader, splitLines } from "../text/blocks.ts";
import { frontMatterLines } from "../text/front-matter.ts";
import { findQuotedLines } from "../text/heredocs.ts";
import { headingTitle } from "../text/lines.ts";
import { type Box, readBox } from "./box.ts";
import type { Phase, Task, TaskList } from "./model.ts";

export function parseTasks(text: string): TaskList {
  const lines = splitLines(text);
  const blocks = new BlockReader();
  const { inside } = findQuotedLines(lines);
  const tasks: Task[] = [];
  const phases: Phase[] = [];
  /** The task whose text the lines belong to, and the column of its bullet. */
  let current: { -readonly [K in keyof Task]: Task[K] } | undefined;
  let bullet = 0;

  for (let i = frontMatterLines(lines); i < lines.length; i++) {
    const line = lines[i] as string;
    const number = i + 1;
    const leaf = inside.has(i)
      ? blocks.skip(line)
      : blocks.read(line, i === 0 && line.startsWith("\uFEFF") ? 1 : 0);
    if (leaf === "blank") continue;

    if (leaf === "text") {
      const box = boxOn(line, blocks);
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
      // Looser than Markdown: text right below a task belongs to it even if it ends the list.
      const below = number === current.endLine + 1 && blocks.items === 0 && leaf !== "rule";
      if (leaf === "verbatim" || blocks.indent > bullet || below) current.endLine = number;
      else current = undefined;
    }
  }
  return { tasks, phases, lines };
}

/** The list after an edit: what the user said about its tasks still holds. */
export const parseAgain = ({ held, decided }: TaskList, text: string): TaskList => ({
  ...parseTasks(text),
  ...(held === undefined ? {} : { held }),
  ...(decided === undefined ? {} : { decided }),
});

function boxOn(line: string, { start, end, items, depth, indent }: BlockReader): Box | undefined {
  if (line[start] === "[" && items > 0) return readBox(line.slice(start, end), depth > 1);
  // `-[ ] 1.2`: no list item to Markdown, but its id says what it is.
  if (line[start + 1] !== "[" || !"-*+".includes(line[start] as string)) return undefined;
  const box = readBox(line.slice(start + 1, end), indent > 1);
  return box?.id === undefined ? undefined : box;
}
