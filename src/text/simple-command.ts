/**
 * The words of a shell command that does one thing: it runs a program with literal arguments, and maybe feeds it a
 * here-document whose end is quoted, so that nothing in it is expanded. Undefined for anything else, and in doubt: who
 * allows a command because of its words must not be misled by any shell's reading of it.
 */
export function parseSimpleCommand(text: string): readonly string[] | undefined {
  if (hasControls(text)) return undefined;
  const words: string[] = [];
  let at = 0;
  while (at < text.length) {
    const gap = /^[ \t]*/.exec(text.slice(at))?.[0].length ?? 0;
    const rest = text.slice(at + gap);
    if (rest === "" || rest === "\n") break;
    if (words.length > 0 && gap === 0) return undefined;
    if (rest.startsWith("<<")) return words.length > 0 && isLastDocument(rest) ? words : undefined;
    const word = readWord(rest);
    // The first one with `=` in it sets a variable.
    if (word === undefined || (words.length === 0 && word.value.includes("="))) return undefined;
    words.push(word.value);
    at += gap + word.length;
  }
  return words.length === 0 ? undefined : words;
}

interface Word {
  readonly value: string;
  readonly length: number;
}

/**
 * One kind of quoting per word. A bare word has no character that any shell treats as special: no pattern, no brace, no
 * tilde, no comment, and no `=` at its start, which zsh expands.
 */
function readWord(text: string): Word | undefined {
  const bare = /^[\w./:,@%+-][\w./:,@%+=-]*/.exec(text)?.[0];
  if (bare !== undefined) return { value: bare, length: bare.length };
  const single = /^'([^']*)'/.exec(text);
  if (single !== null) return { value: single[1] as string, length: single[0].length };
  const double = /^"((?:[^"\\$`]|\\["\\])*)"/.exec(text);
  if (double === null) return undefined;
  const value = (double[1] as string).replaceAll(/\\(["\\])/g, "$1");
  return { value, length: double[0].length };
}

/** Whether the first line that ends the here-document is also the last of the command. */
function isLastDocument(text: string): boolean {
  const head = /^<<(['"])([A-Za-z_]\w*)\1[ \t]*\n/.exec(text);
  if (head === null) return false;
  const lines = text.slice(head[0].length).split("\n");
  const end = lines.indexOf(head[2] as string);
  return end !== -1 && lines.slice(end + 1).join("") === "" && lines.length - end <= 2;
}

/** Tabs and newlines are what they seem; carriage returns, escapes and the like are not. */
const hasControls = (text: string): boolean =>
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000B-\u001F\u007F\u0085\u2028\u2029]/.test(text);
