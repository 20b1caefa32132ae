/** What the front matter of a file says, and what in it could not be read. */
export interface FrontMatter {
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** Lines that are neither a value nor a comment. */
  readonly unread: readonly string[];
  readonly state: "absent" | "unclosed" | "closed";
}

/**
 * Flat YAML only (scalars, inline lists, block lists): a YAML library would cost the hook its time budget. Of the keys in
 * `known` it also takes `enabled:false` and `Enabled: no`: whoever wrote that meant it.
 */
export function parseFrontMatter(text: string, known: readonly string[] = []): FrontMatter {
  const values = new Map<string, string[]>();
  const unread: string[] = [];
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  const first = lines.findIndex((line) => !/^(?:\s*|#{1,6}\s.*)$/.test(line));
  if (first === -1 || lines[first]?.trimEnd() !== "---") return { values, unread, state: "absent" };
  let list: string[] | undefined;
  for (let i = first + 1; i < lines.length; i++) {
    const line = lines[i] as string;
    if (/^(?:---|\.\.\.)\s*$/.test(line)) return { values, unread, state: "closed" };
    const item = /^\s*-\s+([\s\S]*)$/.exec(line);
    const pair = readPair(line, known);
    if (pair !== undefined) {
      const parts = [pair.value];
      // An inline list may span several lines.
      if (/^\[[^\]]*$/.test(pair.value)) {
        do parts.push((lines[++i] ?? "").trim());
        while (i < lines.length && !parts.at(-1)?.includes("]"));
      }
      list = parseValue(parts.join(" "));
      values.set(pair.key, list);
    } else if (item !== null && list !== undefined) {
      list.push(unquote(item[1] as string));
    } else if (/^[^\s#]/.test(line) || readPair(line.trimStart(), known)?.isKnown === true) {
      unread.push(line);
    }
  }
  return { values, unread, state: "unclosed" };
}

function readPair(
  line: string,
  known: readonly string[],
): { key: string; value: string; isKnown: boolean } | undefined {
  const [, name, gap, value = ""] = /^([A-Za-z_][\w-]*)\s*:(\s*)([\s\S]*)$/.exec(line) ?? [];
  if (name === undefined) return undefined;
  const key = known.find((one) => one === name.toLowerCase());
  if (key === undefined && gap === "" && value !== "") return undefined;
  return { key: key ?? name, value, isKnown: key !== undefined };
}

function parseValue(text: string): string[] {
  const value = withoutComment(text);
  if (value === "") return [];
  const inline = /^\[(.*)\]$/.exec(value);
  if (inline === null) return [unquote(value)];
  const parts = (inline[1] as string).match(/(?:"[^"]*"|'[^']*'|[^,])+/g) ?? [];
  return parts.map(unquote).filter((part) => part !== "");
}

function unquote(text: string): string {
  const value = withoutComment(text);
  const [, quote, inner] = /^(["'])(.*)\1$/.exec(value) ?? [];
  if (inner === undefined) return value;
  return quote === "'" ? inner.replaceAll("''", "'") : inner.replace(/\\(["\\])/g, "$1");
}

export const withoutComment = (text: string): string =>
  /^\s*["'[]/.test(text)
    ? text.replace(/(["'\]])\s+#[\s\S]*/, "$1").trim()
    : text.replace(/(?:^|\s)#[\s\S]*/, "").trim();

/**
 * How many lines of front matter precede the text. It begins with a key and holds no box: a file
 * may also open with a line of dashes and have another one further down, with all its tasks between.
 */
export function frontMatterLines(lines: readonly string[]): number {
  if (lines[0]?.trim() !== "---") return 0;
  let hasKey = false;
  for (let i = 1; i < lines.length; i++) {
    const line = lines[i] as string;
    if (/^(?:---|\.\.\.)\s*$/.test(line)) return i + 1;
    hasKey ||= /^[\w"'-]+\s*:/.test(line);
    if (line.startsWith("- [") || (!hasKey && line.trim() !== "")) return 0;
  }
  return 0;
}
