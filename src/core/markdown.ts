import { BlockReader, type Leaf, splitLines } from "../tasks/blocks.ts";
import { BOM } from "../tasks/lines.ts";
import { frontMatterLines, headingTitle } from "../tasks/parse.ts";

/** A line of a document, by what it says to a reader. */
export interface Line {
  /** 1-based, as editors show it. */
  readonly number: number;
  /**
   * "hidden" is front matter or a comment. HTML counts as text: guidance in angle brackets on a line of its own is
   * nothing else to a Markdown parser.
   */
  readonly kind: "blank" | "hidden" | "heading" | "text" | "code" | "rule";
  /** Behind its bullets and without comments; of a heading, its title. */
  readonly text: string;
  /** A list item begins here. */
  readonly isItem: boolean;
  /** Of a heading, 1 to 6; 0 for all others. */
  readonly level: number;
}

type Verbatim = "code" | "comment" | "html";

/** A document line by line, walked by the same reader that finds tasks. */
export function readMarkdown(text: string): Line[] {
  const source = splitLines(text);
  const reader = new BlockReader();
  const front = frontMatterLines(source);
  const lines: Line[] = [];
  let inside: Verbatim = "code";
  for (const [i, raw] of source.entries()) {
    const line = { number: i + 1, kind: "hidden", text: "", isItem: false, level: 0 } as const;
    if (i < front) {
      lines.push(line);
      continue;
    }
    const leaf = reader.read(raw, i === 0 && raw.startsWith(BOM) ? 1 : 0);
    const own = raw.slice(reader.start, reader.end);
    if (leaf === "other") inside = openedBy(own);
    const isHeading = reader.depth === 0 && (leaf === "heading" || leaf === "underline");
    const above = lines.at(-1);
    if (isHeading && leaf === "heading") {
      const level = own.search(/[^#]|$/);
      lines.push({ ...line, kind: "heading", text: headingTitle(own), level });
    } else if (isHeading && above?.kind === "text") {
      lines[lines.length - 1] = { ...above, kind: "heading", level: own.startsWith("=") ? 1 : 2 };
      lines.push({ ...line, kind: "rule" });
    } else {
      lines.push({ ...line, ...plainLine(leaf, own, inside), isItem: reader.items > 0 });
    }
  }
  return lines;
}

const RAW = /^<(?:pre|script|style|textarea)\b/i;

const openedBy = (own: string): Verbatim =>
  own.startsWith("<!--") ? "comment" : own.startsWith("<") && !RAW.test(own) ? "html" : "code";

function plainLine(leaf: Leaf, own: string, inside: Verbatim): Pick<Line, "kind" | "text"> {
  if (leaf === "blank" || own === "") return { kind: "blank", text: "" };
  if (leaf === "rule" || leaf === "underline") return { kind: "rule", text: "" };
  const isVerbatim = leaf === "other" || leaf === "verbatim";
  if (isVerbatim && inside === "code") return { kind: "code", text: own };
  const shown = isVerbatim && inside === "comment" ? behindComment(leaf, own) : own;
  const text = withoutComments(shown);
  return { kind: text.trim() === "" ? "hidden" : "text", text };
}

/** What stands behind the end of a comment, on the line that ends it. */
function behindComment(leaf: Leaf, own: string): string {
  const end = own.indexOf("-->", leaf === "other" ? 4 : 0);
  return end === -1 ? "" : own.slice(end + 3);
}

/** Code spans are found first: a comment that stands in backticks is none. */
const SPAN_OR_COMMENT = /(`+)(?!`).*?[^`]\1(?!`)|<!--.*?-->/g;

const withoutComments = (text: string): string =>
  text.includes("<!--")
    ? text.replace(SPAN_OR_COMMENT, (part) => (part.startsWith("<") ? "" : part))
    : text;

/** The text with its code spans blanked out. */
export const withoutCode = (text: string): string =>
  text.includes("`")
    ? text.replace(/(`+)(?!`).*?[^`]\1(?!`)/g, (span) => " ".repeat(span.length))
    : text;

/** The cells of a table's row, or nothing where the line is no row. */
export function splitRow(text: string): string[] | undefined {
  if (!text.startsWith("|")) return undefined;
  const cells = text.split(/(?<!\\)\|/).slice(1);
  if (cells.at(-1)?.trim() === "") cells.pop();
  return cells.map((cell) => cell.trim().replaceAll("\\|", "|"));
}

/** `|---|:--|`: the row under the head of a table. */
export const isRowRule = (cells: readonly string[]): boolean =>
  cells.length > 0 && cells.every((cell) => /^:?-+:?$/.test(cell));
