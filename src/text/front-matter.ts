/** Flat YAML only (scalars, inline lists, block lists): a YAML library would cost the hook its time budget. */
export function parseFrontMatter(text: string): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  if (lines[0]?.trimEnd() !== "---") return values;
  let list: string[] | undefined;
  for (let i = 1; i < lines.length; i++) {
    const line = lines[i] as string;
    if (/^(?:---|\.\.\.)\s*$/.test(line)) break;
    const item = /^\s*-\s+([\s\S]*)$/.exec(line);
    const pair = /^([A-Za-z_][\w-]*)\s*:(?:\s+([\s\S]*))?$/.exec(line);
    if (pair !== null) {
      const parts = [pair[2] ?? ""];
      // An inline list may span several lines.
      if (/^\[[^\]]*$/.test(parts[0] as string)) {
        do parts.push((lines[++i] ?? "").trim());
        while (i < lines.length && !parts.at(-1)?.includes("]"));
      }
      list = parseValue(parts.join(" "));
      values.set(pair[1] as string, list);
    } else if (item !== null && list !== undefined) {
      list.push(unquote(item[1] as string));
    }
  }
  return values;
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

const withoutComment = (text: string): string =>
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
