/** A simple command in a line of shell. */
export interface Part {
  /** What joins it to the one before it. */
  readonly joint: "" | "|" | "&&" | "||" | ";";
  readonly words: readonly string[];
  /** Input from a file, which may be missing. */
  readonly reads: boolean;
}

export interface Script {
  readonly parts: readonly Part[];
  /** The last comment, without its mark. */
  readonly comment?: string;
}

/** Words that begin or end a compound command, loops over words aside. */
const COMPOUND = /^(?:if|then|else|elif|fi|while|until|case|esac|select|function|\{|\})$/;
const JOINTS = /(?:&&|\|\||[|;\n])/y;
const REDIRECT = /[<>]{1,2}[&|]?/y;

/**
 * The simple commands of a script, as far as that is easy to tell: undefined for compound commands, here documents,
 * jobs in the background and quotes that do not end.
 */
export function parseShell(text: string): Script | undefined {
  const parts: Part[] = [];
  let joint: Part["joint"] = "";
  let words: string[] = [];
  let word: string | undefined;
  let reads = false;
  let isTarget = false;
  let comment: string | undefined;
  let isSimple = true;
  const endWord = (): void => {
    if (word !== undefined && !isTarget) words.push(word);
    if (word !== undefined) isTarget = false;
    word = undefined;
  };
  const endPart = (): void => {
    endWord();
    // `for x in a b; do c; done` ends as its last `c` does, so its commands are taken as they are.
    if (words[0] === "do") words.shift();
    const [first = ""] = words;
    if (first === "for" && /[|&]/.test(joint)) isSimple = false;
    if (first === "done" && (reads || words.length > 1)) isSimple = false;
    if (first === "for" || first === "done") words = [];
    if (COMPOUND.test(first)) isSimple = false;
    if (words.length > 0) parts.push({ joint, words, reads });
    words = [];
    reads = false;
    isTarget = false;
  };
  let i = 0;
  while (i < text.length) {
    const char = text.charAt(i);
    const isQuoted = "'\"`\\(".includes(char) || text.startsWith("$(", i);
    if (isQuoted) {
      const end = endOfQuoted(text, i);
      if (end === undefined) return undefined;
      word = (word ?? "") + text.slice(i, end);
      i = end;
    } else if (char === " " || char === "\t" || char === "\r") {
      endWord();
      i++;
    } else if (char === "#" && word === undefined) {
      const end = text.indexOf("\n", i);
      comment = text.slice(i + 1, end === -1 ? undefined : end).trim();
      i = end === -1 ? text.length : end;
    } else if (char === "<" || char === ">") {
      REDIRECT.lastIndex = i;
      const [mark = char] = REDIRECT.exec(text) ?? [];
      if (mark.startsWith("<<")) return undefined;
      if (/^\d+$/.test(word ?? "")) word = undefined;
      endWord();
      isTarget = text[i + mark.length] !== "(";
      reads ||= mark === "<" && isTarget;
      i += mark.length;
    } else if (char === "&" && text[i + 1] === ">") {
      endWord();
      i++;
    } else if ("&|;\n".includes(char)) {
      JOINTS.lastIndex = i;
      const mark = JOINTS.exec(text)?.[0];
      if (mark === undefined || text.startsWith(";;", i)) return undefined;
      const wasEmpty = words.length === 0 && word === undefined;
      endPart();
      // A line may end with an operator and go on below.
      if (mark !== "\n" || !wasEmpty) joint = mark === "\n" ? ";" : (mark as Part["joint"]);
      i += mark.length;
    } else {
      word = (word ?? "") + char;
      i++;
    }
  }
  endPart();
  if (!isSimple) return undefined;
  return { parts, ...(comment === undefined ? {} : { comment }) };
}

/** Where a quoted piece, a substitution or a subshell that begins at `start` ends; undefined if it does not. */
function endOfQuoted(text: string, start: number): number | undefined {
  const open: ('"' | "(")[] = [];
  let i = start;
  do {
    const char = text.charAt(i);
    const isInString = open.at(-1) === '"';
    if (char === "\\") i += 2;
    else if (char === '"') {
      if (isInString) open.pop();
      else open.push('"');
      i++;
    } else if (text.startsWith("$(", i)) {
      open.push("(");
      i += 2;
    } else if (!isInString && (char === "'" || char === "`")) {
      const end = text.indexOf(char, i + 1);
      if (end === -1) return undefined;
      i = end + 1;
    } else {
      if (!isInString && char === "(") open.push("(");
      else if (!isInString && char === ")") open.pop();
      i++;
    }
  } while (open.length > 0 && i < text.length);
  return open.length > 0 ? undefined : Math.min(i, text.length);
}
