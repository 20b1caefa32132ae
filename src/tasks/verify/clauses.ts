/** A piece of what is said about a command: lower case, words apart by one space, quoted texts as «0», «1». */
export interface Clause {
  readonly text: string;
  /** As the author wrote it. */
  readonly raw: string;
  /** In parentheses: often only a remark. */
  readonly isAside: boolean;
}

export interface Clauses {
  readonly clauses: readonly Clause[];
  /** The quoted texts. */
  readonly values: readonly string[];
}

const SAME: Readonly<Record<string, string>> = {
  "≥": ">=",
  "≤": "<=",
  "≠": "not",
  "!=": "not",
  "!==": "not",
  "⇒": "→",
  "=>": "→",
  "->": "→",
  "==>": "→",
  "==": "=",
  "===": "=",
};
const ENDS = new Set([
  ",",
  ";",
  ".",
  "!",
  "?",
  "—",
  "–",
  "-",
  "&&",
  "+",
  "&",
  "and",
  "then",
  "plus",
  "\n",
]);

/** Breaks what is said about a command into its claims. */
export function readClauses(said: string): Clauses {
  const values: string[] = [];
  const clauses: Clause[] = [];
  let words: string[] = [];
  let raw: string[] = [];
  let depth = 0;
  const end = (): void => {
    if (words.length > 0)
      clauses.push({ text: words.join(" "), raw: raw.join(" "), isAside: depth > 0 });
    words = [];
    raw = [];
  };
  // In here, because making it takes time that most commands need not spend.
  const TOKEN =
    /`+([^`]*)`+|"([^"\n]*)"|“([^“”\n]*)”|(?<![\p{L}\p{N}_])'([^'\n]*)'(?![\p{L}\p{N}_])|!={1,2}|[<>]=?|[≥≤≠→⇒]|[=-]{1,2}>|={1,3}|&&|[\p{L}\p{N}_$-][\p{L}\p{N}_$%]*(?:['’./@-][\p{L}\p{N}_%]+)*\+?|\n|\S/gu;
  for (const [token, ...quoted] of said.matchAll(TOKEN)) {
    const value = quoted.find((one) => one !== undefined);
    const word = SAME[token] ?? token.toLowerCase();
    if (value !== undefined) {
      words.push(`«${values.length}»`);
      raw.push(token);
      values.push(value.trim());
    } else if (word === "(") {
      end();
      depth++;
    } else if (word === ")") {
      end();
      depth = Math.max(0, depth - 1);
    } else if (ENDS.has(word)) end();
    else if (/^[\p{L}\p{N}_$<>=→-]/u.test(word)) {
      words.push(word);
      raw.push(token);
    }
  }
  end();
  return { clauses, values };
}
