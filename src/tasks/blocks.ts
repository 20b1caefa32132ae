/**
 * Walks Markdown line by line and tells which lines are structure and which stand verbatim inside
 * a code fence, an HTML comment, a raw block or front matter. Only as much of CommonMark as decides
 * whether a box is a task: a Markdown library would lose the bytes that an edit must keep.
 */
export interface Line {
  /** 1-based. */
  readonly number: number;
  /** Without line ending and, on the first line, without a byte order mark. */
  readonly text: string;
  /** The text without white space around it. */
  readonly body: string;
  /** Columns of leading white space, tabs to the next multiple of four. */
  readonly indent: number;
  readonly blank: boolean;
  /** Inside a fence, comment or raw block: boxes and headings do not count here. */
  readonly verbatim: boolean;
  /** Belongs to an open list item rather than to the page. */
  readonly nested: boolean;
}

interface Verbatim {
  readonly endsWith: (body: string) => boolean;
  /** The block stands in a list item: text to the left of this column ends both. */
  readonly column: number;
}

const LIST_ITEM = /^([-*+]|\d{1,9}[.)])([ \t]+|$)/;
const FENCE = /^(`{3,}|~{3,})(.*)$/;
const HEADING = /^#{1,6}(?:[ \t]|$)/;
const RAW_HTML = /^<(pre|script|style|textarea)(?:[\s>]|$)/i;
const RULE = /^(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/;

/** Each line keeps its ending, so that joining them gives the text back. */
export function splitLines(text: string): string[] {
  const lines: string[] = [];
  let start = 0;
  while (start < text.length) {
    const end = text.indexOf("\n", start);
    const next = end === -1 ? text.length : end + 1;
    lines.push(text.slice(start, next));
    start = next;
  }
  return lines;
}

export function* walk(lines: readonly string[]): Generator<Line> {
  let open = frontMatter(lines);
  /** Where the text of the outermost open list item begins; 0 when no list is open. */
  let column = 0;
  let afterBlank = true;

  for (let i = 0; i < lines.length; i++) {
    const text = bare(lines[i] as string, i === 0);
    const body = text.trim();
    const blank = body === "";
    const indent = blank ? 0 : indentOf(text);
    const number = i + 1;

    if (open !== undefined && (blank || indent >= open.column)) {
      yield { number, text, body, indent, blank, verbatim: true, nested: open.column > 0 };
      if (open.endsWith(body)) open = undefined;
      afterBlank = blank;
      continue;
    }
    open = undefined;

    if (blank) {
      yield { number, text, body, indent, blank, verbatim: false, nested: column > 0 };
      afterBlank = true;
      continue;
    }

    if (indent < column && (afterBlank || startsBlock(body))) column = 0;
    const nested = column > 0 && indent >= column;
    const indentedCode: boolean = column === 0 && indent >= 4 && afterBlank;
    if (!nested && !indentedCode) column = itemColumn(body, indent) ?? column;

    yield { number, text, body, indent, blank, verbatim: indentedCode, nested };
    if (!indentedCode) open = opened(withoutMarkers(body), column);
    afterBlank = indentedCode;
  }
}

export const isHeading = (line: Line): boolean =>
  !line.verbatim && !line.nested && line.indent < 4 && isHeadingText(line.body);

export const isRule = (line: Line): boolean =>
  !line.verbatim && !line.nested && isRuleText(line.body);

function frontMatter(lines: readonly string[]): Verbatim | undefined {
  if (lines.length === 0 || bare(lines[0] as string, true).trimEnd() !== "---") return undefined;
  const end = lines.findIndex((line, i) => i > 0 && /^(?:---|\.\.\.)\s*$/.test(line));
  if (end === -1) return undefined;
  let seen = 0;
  return { endsWith: () => seen++ === end, column: 0 };
}

/** A hook runs cold: a look at the first character spares most lines the regular expressions. */
const startsWithOneOf = (text: string, characters: string): boolean =>
  text !== "" && characters.includes(text.charAt(0));

const isHeadingText = (body: string): boolean => body.startsWith("#") && HEADING.test(body);
const isRuleText = (body: string): boolean => startsWithOneOf(body, "-*_") && RULE.test(body);
const itemIn = (body: string): RegExpExecArray | null =>
  startsWithOneOf(body, "-*+0123456789") ? LIST_ITEM.exec(body) : null;

function opened(body: string, column: number): Verbatim | undefined {
  if (!startsWithOneOf(body, "`~<")) return undefined;
  const fence = FENCE.exec(body);
  if (fence !== null) {
    const mark = fence[1] as string;
    if (mark.startsWith("`") && (fence[2] as string).includes("`")) return undefined;
    return { endsWith: (text) => closesFence(text, mark), column };
  }
  if (body.startsWith("<!--")) return unlessClosed(body.slice(4), "-->", column);
  const raw = RAW_HTML.exec(body);
  return raw === null ? undefined : unlessClosed(body, `</${raw[1] as string}>`, column);
}

function unlessClosed(rest: string, end: string, column: number): Verbatim | undefined {
  const endsWith = (text: string): boolean => text.toLowerCase().includes(end.toLowerCase());
  return endsWith(rest) ? undefined : { endsWith, column };
}

function closesFence(text: string, mark: string): boolean {
  if (!text.startsWith(mark)) return false;
  for (const character of text) if (character !== mark[0]) return false;
  return true;
}

const startsBlock = (body: string): boolean =>
  isHeadingText(body) || isRuleText(body) || FENCE.test(body) || itemIn(body) !== null;

/** Where the text of the list item begins that this line starts, if it starts one. */
function itemColumn(body: string, indent: number): number | undefined {
  const item = isRuleText(body) ? null : itemIn(body);
  if (item === null) return undefined;
  const gap = indentOf(`${item[2] as string}x`);
  // A wide gap is indented code inside the item, whose text then begins one column in.
  return indent + (item[1] as string).length + (gap === 0 || gap > 4 ? 1 : gap);
}

/** What a line says behind its bullets: a fence or comment may open right there. */
function withoutMarkers(body: string): string {
  let rest = body;
  for (let item = itemIn(rest); item !== null && rest !== item[0]; item = itemIn(rest)) {
    rest = rest.slice(item[0].length);
  }
  return rest;
}

function bare(raw: string, first: boolean): string {
  const text = raw.endsWith("\r\n")
    ? raw.slice(0, -2)
    : raw.endsWith("\n")
      ? raw.slice(0, -1)
      : raw;
  return first && text.startsWith("\uFEFF") ? text.slice(1) : text;
}

function indentOf(text: string): number {
  let columns = 0;
  for (let i = 0; ; i++) {
    const character = text.charAt(i);
    if (character === " ") columns++;
    else if (character === "\t") columns += 4 - (columns % 4);
    else return columns;
  }
}
