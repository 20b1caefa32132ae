/** Lines that a shell command quotes: the body of a PR or a file, with boxes and headings of its own. */
export interface QuotedLines {
  /** Indexes of the lines that are part of what an earlier line opened, its last one included. */
  readonly inside: ReadonlySet<number>;
  /** Openers that nothing closes. Their lines are read as if nothing had been opened. */
  readonly unclosed: readonly UnclosedQuote[];
}

export interface UnclosedQuote {
  /** Index of the opener, and of the line at which the search for its end was given up. */
  readonly line: number;
  readonly until: number;
  /** The line that was looked for. */
  readonly end: string;
}

const NONE: QuotedLines = { inside: new Set(), unclosed: [] };

/** `<<EOF`, `<<-'EOF'`, `<<~EOF`; not `1 << 2`, `<<<`, `cout << x` or `class << self`. */
const HEREDOC = /(?<!<)<<[-~]?[ \t]?(?:(["'])(\w{1,40})\1|([A-Z_][A-Z0-9_]{0,39})(?![\w(]))/;
/** `gh pr create --body "…`, in a code span that does not end on its line. */
const MESSAGE = /`[^`]*[ \t](?:--(?:body|message|notes)|-[bm])[ =]"[^"`]*$/;
/** What a message that a code span holds ends with. */
const MESSAGE_END = '"`';
/** A box with an id is a task: nobody quotes one, so whatever is open before it never ends. */
const NUMBERED =
  /^\s*(?:(?:[-*+]|\d{1,9}[.)])[ \t]*)?\[[^\]]{0,3}\][ \t]*[*_`~[]{0,2}(?:Task )?(?:T-?\d|V[EF]?\d|VF\b|\d+[A-Za-z]?[.):])/;
/** So many may be open at once; more is hostile. */
const MAX_OPEN = 8;

/**
 * Finds here-documents and quoted messages in one pass. In a list the quoted lines are at the left margin, where
 * Markdown takes them for headings and boxes of the list itself. Only what is closed counts, so that a stray `<<EOF`
 * hides nothing.
 */
export function findQuotedLines(lines: readonly string[]): QuotedLines {
  if (!lines.some(mayOpen)) return NONE;
  /** By the line that opens it: the last line of what it quotes. */
  const ends = new Map<number, number>();
  const unclosed: UnclosedQuote[] = [];
  /** By what ends it: the line that opened it. */
  const open = new Map<string, number>();
  const giveUp = (until: number): void => {
    for (const [end, line] of open) unclosed.push({ line, until, end });
    open.clear();
  };

  for (const [i, line] of lines.entries()) {
    if (open.size > 0) {
      const end = open.has(MESSAGE_END) && endsMessage(line) ? MESSAGE_END : wordOf(line);
      const start = open.get(end);
      if (start !== undefined) {
        // The `)"` of `"$(cat <<EOF` goes with it.
        const isCalled = end !== MESSAGE_END && /^\s*\)/.test(lines[i + 1] ?? "");
        ends.set(start, isCalled ? i + 1 : i);
        for (const [other, at] of open) if (at >= start) open.delete(other);
        continue;
      }
      if (NUMBERED.test(line)) giveUp(i);
    }
    const end = mayOpen(line) ? openedBy(line) : undefined;
    if (end === undefined || open.size >= MAX_OPEN) continue;
    // A second one of the same name: the first was only talked about.
    const before = open.get(end);
    if (before !== undefined) unclosed.push({ line: before, until: i, end });
    open.delete(end);
    open.set(end, i);
  }
  giveUp(lines.length);

  const inside = new Set<number>();
  let last = -1;
  for (const i of lines.keys()) {
    if (i <= last) inside.add(i);
    last = Math.max(last, ends.get(i) ?? -1);
  }
  return { inside, unclosed };
}

/** Cheap, because it looks at every line at every stop. A message begins after the last backtick of its line. */
function mayOpen(line: string): boolean {
  if (line.includes("<<")) return true;
  const quote = line.lastIndexOf('"');
  return quote !== -1 && line.lastIndexOf("`") < quote && line.includes("`");
}

const endsMessage = (line: string): boolean => {
  const quote = line.indexOf('"');
  return quote !== -1 && line.lastIndexOf("`") > quote;
};

function openedBy(line: string): string | undefined {
  const heredoc = HEREDOC.exec(line);
  if (heredoc === null) return MESSAGE.test(line) ? MESSAGE_END : undefined;
  const word = (heredoc[2] ?? heredoc[3]) as string;
  const before = line.slice(0, heredoc.index);
  const behind = line.slice(heredoc.index + heredoc[0].length);
  // "the `cat <<EOF` block", "cat <<EOF … EOF": only talked about.
  const isSpan = before.split("`").length % 2 === 0 && behind.includes("`");
  return isSpan || new RegExp(`\\b${word}\\b`).test(behind) ? undefined : word;
}

/** The word that a line consists of; whatever closes the command may follow it. */
const wordOf = (line: string): string => /^\s*(\w{1,40})[)"'`;]*\s*$/.exec(line)?.[1] ?? "";
