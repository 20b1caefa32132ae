import type { Line } from "../../text/markdown.ts";
import { MAX_TASKS, NotAList } from "./foreign.ts";

/** A list item of the file. */
export interface Item {
  readonly indent: number;
  /** Undefined if it has no box. */
  readonly isDone: boolean | undefined;
  readonly text: string;
  /** The headings above it, outermost first. */
  readonly headings: readonly string[];
  /** `Acceptance Criteria:`, on a line of its own above it. */
  readonly label: string;
}

const ITEM = /^(\s*)(?:[-*+]|\d{1,9}[.)])\s+(?:\[([ xX✓✔~/-]?)\]\s+)?(\S.*)$/;

export function readItems(lines: readonly Line[], raw: readonly string[]): Item[] {
  const items: Item[] = [];
  let headings: { level: number; text: string }[] = [];
  let label = "";
  for (const { number, kind, level, text } of lines) {
    if (kind === "heading") {
      headings = [...headings.filter((one) => one.level < level), { level, text }];
      label = "";
      continue;
    }
    if (kind !== "text") continue;
    const [, indent = "", mark, said = ""] = ITEM.exec(raw[number - 1] ?? "") ?? [];
    const isBox = mark !== undefined;
    if (said === "") {
      label = /^(?:\*\*|__)?([A-Za-z ]{3,40}):?(?:\*\*|__)?:?\s*$/.exec(text)?.[1]?.trim() ?? label;
      continue;
    }
    items.push({
      indent: indent.replaceAll("\t", "    ").length,
      isDone: isBox ? /[xX✓✔]/.test(mark) : undefined,
      text: said,
      headings: headings.map((one) => one.text),
      label,
    });
    if (items.length > 20 * MAX_TASKS) throw tooLong();
  }
  return items;
}

export const tooLong = (): NotAList =>
  new NotAList(`it has more than ${MAX_TASKS} tasks`, "split it, and import the parts");
