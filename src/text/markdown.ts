import { BlockReader, type Leaf, splitLines } from "./blocks.ts";
import { frontMatterLines } from "./front-matter.ts";
import { BOM, headingTitle } from "./lines.ts";
import { findPairs, readSpans } from "./spans.ts";

/** A line of a document, by what it says to a reader. */
export interface Line {
  /** 1-based, as editors show it. */
  readonly number: number;
  /**
   * "hidden" is front matter or a comment. HTML counts as text: to a Markdown parser, guidance in
   * angle brackets on its own line is HTML.
   */
  readonly kind: "blank" | "hidden" | "heading" | "text" | "code" | "rule";
  /** After its bullets and without comments; of a heading, its title. */
  readonly text: string;
  /** A list item begins here. */
  readonly isItem: boolean;
  /** Of a heading, 1 to 6; 0 for all others. */
  readonly level: number;
}

type Verbatim = "code" | "comment" | "html";

/** A document line by line, read by the same reader that finds tasks. */
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

/** The text after the end of a comment, on the line that ends it. */
function behindComment(leaf: Leaf, own: string): string {
  const end = own.indexOf("-->", leaf === "other" ? 4 : 0);
  return end === -1 ? "" : own.slice(end + 3);
}

/** Whichever begins first wins: a comment in backticks is not a comment, nor is a backtick in a comment code. */
function withoutComments(text: string): string {
  if (!text.includes("<!--")) return text;
  const spans = findPairs(text).values();
  let span = spans.next().value;
  let shown = "";
  let done = 0;
  let at = 0;
  for (let open = text.indexOf("<!--"); open !== -1; open = text.indexOf("<!--", at)) {
    for (; span !== undefined && span.start < open; span = spans.next().value) {
      if (span.start >= at) at = span.end;
    }
    if (at > open) continue;
    const close = text.indexOf("-->", open + 4);
    if (close === -1) break;
    shown += text.slice(done, open);
    done = at = close + 3;
  }
  return shown + text.slice(done);
}

/** Everything a reader sees except code, line for line. */
export const renderShown = (lines: readonly Line[]): string =>
  lines
    .map(({ kind, text }) => (kind === "text" || kind === "heading" ? withoutCode(text) : ""))
    .join("\n");

/** The text with its code spans blanked out, at its length. */
export function withoutCode(text: string, keeps = (_code: string): boolean => false): string {
  let shown = "";
  for (const { start, end, code } of readSpans(text)) {
    if (!keeps(code)) shown = (shown + text.slice(shown.length, start)).padEnd(end);
  }
  return shown + text.slice(shown.length);
}

/** The cells of a table row; undefined if the line is not one. */
export function splitRow(text: string): string[] | undefined {
  if (!text.startsWith("|")) return undefined;
  const cells = text.split(/(?<!\\)\|/).slice(1);
  if (cells.at(-1)?.trim() === "") cells.pop();
  return cells.map((cell) => cell.trim().replaceAll("\\|", "|"));
}

/** `|---|:--|`: the row under the head of a table. */
export const isRowRule = (cells: readonly string[]): boolean =>
  cells.length > 0 && cells.every((cell) => /^:?-+:?$/.test(cell));
