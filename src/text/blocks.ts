import { openVerbatim, type Verbatim } from "./verbatim.ts";

/**
 * What a line is once its bullets are off. "verbatim" is inside a code fence or an HTML block;
 * "other" is what opens one, indented code, or nothing but bullets.
 */
export type Leaf =
  | "blank"
  | "text"
  | "heading"
  | "underline"
  | "rule"
  | "quote"
  | "verbatim"
  | "other";

/** Each line keeps its ending, so that joining them restores the text. */
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

/** A line may begin this many list items, or a line of nothing but bullets would take quadratic time. */
const MAX_ITEMS = 20;

/**
 * Reads Markdown line by line and keeps what is open: list items, a paragraph, a fence. Only as much
 * of CommonMark as decides whether a box is a task; a Markdown library would lose the bytes that an
 * edit must keep. It runs once in a fresh process, where a regular expression costs more than the
 * lines it looks at: hence the loops, and one reader instead of an object for each line.
 *
 * Deliberately not CommonMark: a lone carriage return does not end a line; the inside of a quote is not read, its
 * last line counts as text; and a line of control characters is blank.
 */
export class BlockReader {
  /** Columns of white space before the text; a tab goes to the next multiple of four. */
  indent = 0;
  /** The line's own text, after its bullets and without surrounding white space, runs from here … */
  start = 0;
  /** … to here. */
  end = 0;
  /** List items that begin on this line; `- 1. x` begins two. */
  items = 0;
  /** List items that the line is in, those included. */
  depth = 0;

  /** Where the text of each open list item begins, from the outermost in; stale beyond `depth`. */
  private readonly columns: number[] = [];
  /** An open paragraph, of the innermost list item or of a quote in it. */
  private paragraph: "none" | "own" | "quoted" = "none";
  private verbatim: Verbatim | undefined;
  /** The innermost list item has no text yet: a blank line ends it. */
  private hollow = false;
  /** Width of the bullet that `leafAt` found. */
  private bullet = 0;

  read(line: string, from = 0): Leaf {
    let end = line.length;
    while (end > from && (line[end - 1] as string) <= " ") end--;
    let start = from;
    let indent = 0;
    for (; line[start] === " " || line[start] === "\t"; start++) {
      indent += line[start] === " " ? 1 : 4 - (indent % 4);
    }
    this.indent = indent;
    this.start = start;
    this.end = end;
    this.items = 0;
    if (start >= end) return this.readBlank();

    const { columns, depth } = this;
    let kept = 0;
    while (kept < depth && (columns[kept] as number) <= indent) kept++;
    if (this.verbatim !== undefined) {
      if (kept === depth) return this.readVerbatim(line, this.verbatim);
      this.verbatim = undefined;
    }
    this.hollow = false;
    return this.readBlocks(line, kept);
  }

  /** A line that is quoted by a command: whatever it says, it opens and ends nothing. */
  skip(line: string): Leaf {
    const text = line.trim();
    this.start = text === "" ? 0 : line.indexOf(text);
    this.end = this.start + text.length;
    this.indent = this.start;
    this.items = 0;
    return "verbatim";
  }

  private readBlank(): Leaf {
    if (this.verbatim === undefined || this.verbatim.endsAtBlank) {
      this.verbatim = undefined;
      this.paragraph = "none";
      if (this.hollow) this.depth--;
      this.hollow = false;
    }
    return "blank";
  }

  private readVerbatim(line: string, verbatim: Verbatim): Leaf {
    const indent = this.indent - (this.columns[this.depth - 1] ?? 0);
    if (verbatim.closes(line.slice(this.start, this.end), indent)) this.verbatim = undefined;
    return "verbatim";
  }

  /** A line inside the first `kept` of the open list items: it ends the others and begins its own. */
  private readBlocks(line: string, kept: number): Leaf {
    const { columns, end, paragraph } = this;
    let start = this.start;
    let column = this.indent;
    let base = kept === 0 ? 0 : (columns[kept - 1] as number);
    let leaf: Leaf | "item" = paragraph === "none" ? "other" : "text";
    if (column - base < 4) {
      leaf = this.leafAt(line, start, paragraph === "own" && kept === this.depth);
    }
    // Text continues an open paragraph even from outside its list item or quote.
    if (leaf === "text" && paragraph !== "none") return leaf;

    this.paragraph = "none";
    let depth = kept;
    while (leaf === "item" && this.items < MAX_ITEMS) {
      const bulletEnd = column + this.bullet;
      start += this.bullet;
      column = bulletEnd;
      for (; line[start] === " " || line[start] === "\t"; start++) {
        column += line[start] === " " ? 1 : 4 - (column % 4);
      }
      this.items++;
      this.hollow = start >= end;
      // A wide gap means indented code, in an item whose text begins one column in.
      base = this.hollow || column - bulletEnd > 4 ? bulletEnd + 1 : column;
      columns[depth++] = base;
      leaf = this.hollow || column - base > 3 ? "other" : this.leafAt(line, start, false);
    }
    if (leaf === "item") leaf = "other";
    this.depth = depth;
    this.start = start;
    if (leaf === "text") this.paragraph = "own";
    else if (leaf === "quote" && start + 1 < end) this.paragraph = "quoted";
    return leaf;
  }

  /** What begins here. `cuts`: in the middle of a paragraph, which not every block may interrupt. */
  private leafAt(line: string, start: number, cuts: boolean): Leaf | "item" {
    const { end } = this;
    const first = line[start] as string;
    // Most begin with a letter or a bracket.
    if (first > ">" && first !== "_" && first !== "`" && first !== "~") return "text";
    if (first === ">") return "quote";
    if (first === "`" || first === "~" || first === "<") {
      const opened = openVerbatim(line.slice(start, end), this.paragraph !== "none");
      if (opened !== "closed") this.verbatim = opened;
      return opened === undefined ? "text" : "other";
    }

    let at = start;
    while (line[at] === first) at++;
    if (cuts && at >= end && (first === "-" || first === "=")) return "underline";
    if (first === line[end - 1] && isRule(line, start, end)) return "rule";

    const run = at - start;
    let isBullet = run === 1 && (first === "-" || first === "*" || first === "+");
    if (first >= "0" && first <= "9") {
      while ((line[at] as string) >= "0" && (line[at] as string) <= "9") at++;
      isBullet = at - start < 10 && (line[at] === "." || line[at] === ")");
      at++;
    }
    const isSpaced = at >= end || line[at] === " " || line[at] === "\t";
    if (first === "#") return isSpaced && run < 7 ? "heading" : "text";
    this.bullet = at - start;
    // "… in the year\n2026. And" is prose: only a first item with text interrupts a paragraph.
    const isFirst = at === start + 1 || (at === start + 2 && first === "1");
    const isProse = cuts && (at >= end || !isFirst);
    return isBullet && isSpaced && !isProse ? "item" : "text";
  }
}

/** `---`, `* * *`: three or more of one mark, with any white space. */
function isRule(line: string, start: number, end: number): boolean {
  const mark = line[start];
  if (mark !== "-" && mark !== "*" && mark !== "_") return false;
  let count = 0;
  for (let at = start; at < end; at++) {
    if (line[at] === mark) count++;
    else if (line[at] !== " " && line[at] !== "\t") return false;
  }
  return count > 2;
}
