import type { Line } from "../../text/markdown.ts";
import { MAX_TASKS, tooLong } from "./foreign.ts";

/** A list item of the file. */
export interface Item {
  readonly indent: number;
  /** Undefined if it has no box. */
  readonly isDone: boolean | undefined;
  readonly text: string;
  /** The line of the heading that it is below, 0 if there is none: headings may have the same text. */
  readonly section: number;
  /** The headings above it, outermost first. */
  readonly headings: readonly string[];
  /** Those of them that are not the title of the file. */
  readonly group: string;
  /** `Acceptance Criteria:`, on a line of its own above it. */
  readonly label: string;
}

const ITEM = /^(\s*)(?:[-*+]|\d{1,9}[.)])\s+(?:\[([ xX✓✔~/-]?)\]\s+)?(\S.*)$/;

export function readItems(lines: readonly Line[], raw: readonly string[]): Item[] {
  const items: Item[] = [];
  let headings: { level: number; text: string }[] = [];
  let label = "";
  let section = 0;
  for (const { number, kind, level, text } of lines) {
    if (kind === "heading") {
      headings = [...headings.filter((one) => one.level < level), { level, text }];
      section = number;
      label = "";
      continue;
    }
    if (kind !== "text") continue;
    const [, indent = "", mark, said = ""] = ITEM.exec(raw[number - 1] ?? "") ?? [];
    if (said === "") {
      label = /^(?:\*\*|__)?([A-Za-z ]{3,40}):?(?:\*\*|__)?:?\s*$/.exec(text)?.[1]?.trim() ?? label;
      continue;
    }
    items.push({
      indent: indent.replaceAll("\t", "    ").length,
      isDone: mark === undefined ? undefined : /[xX✓✔]/.test(mark),
      text: said,
      section,
      headings: headings.map((one) => one.text),
      group: headings
        .filter((one) => one.level > 1)
        .map((one) => one.text)
        .join(": "),
      label,
    });
    if (items.length > 20 * MAX_TASKS) throw tooLong();
  }
  return items;
}
