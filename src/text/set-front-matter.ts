import { parseFrontMatter, withoutComment } from "./front-matter.ts";

/**
 * A file with another value in its front matter, or without it; comments and everything else stay. Undefined if the key
 * is there more than once: then it is for the user to do.
 */
export function setFrontMatter(
  text: string,
  key: string,
  value: string | undefined,
): string | undefined {
  const { state, values } = parseFrontMatter(text, [key]);
  const line = `${key}: ${value}`;
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  if (!values.has(key)) {
    if (value === undefined) return text;
    if (state === "absent")
      return text === "" ? `---\n${line}\n---\n` : `---\n${line}\n---\n\n${text}`;
    return text.replace(/^---[ \t]*\r?\n/m, (rule) => `${rule}${line}${end}`);
  }
  const lines = text.split(/\r?\n/);
  const start = lines.findIndex((one) => /^\uFEFF?---\s*$/.test(one)) + 1;
  const length = lines.slice(start).findIndex((one) => /^(?:---|\.\.\.)\s*$/.test(one));
  const last = length === -1 ? lines.length : start + length;
  const isIt = (one: string): boolean => new RegExp(`^${key}\\s*:`, "i").test(one);
  const [at = start, ...others] = lines
    .slice(start, last)
    .flatMap((one, i) => (isIt(one) ? [start + i] : []));
  if (others.length > 0) return undefined;
  const said = (lines[at] ?? "").replace(/^[^:]*:\s*/, "");
  let next = at + 1;
  // A list may go on below, in brackets or as items.
  if (/^\[[^\]]*$/.test(said)) while (next < last && !lines[next++]?.includes("]"));
  const rest = lines.slice(next, last);
  const count = rest.findIndex((one) => /^[A-Za-z_][\w-]*\s*:/.test(one));
  const kept = rest.filter((one, i) => (count !== -1 && i >= count) || !/^\s*-\s/.test(one));
  const comment = next > at + 1 ? "" : said.slice(withoutComment(said).length).trimEnd();
  const own = value === undefined ? [] : [`${line}${comment}`];
  return [...lines.slice(0, at), ...own, ...kept, ...lines.slice(last)].join(end);
}

/** A value as it is written in front matter, in quotes where it could be taken for something else. */
export const formatFrontMatter = (items: readonly string[], isList: boolean): string =>
  isList ? `[${items.map(quote).join(", ")}]` : quote(items[0] ?? "");

function quote(text: string): string {
  if (/^-?[\w$~/.](?:[^#"'[\]{},:\\\n]|:(?=\S))*$/.test(text) && !text.endsWith(" ")) return text;
  return text.includes('"')
    ? `'${text.replaceAll("'", "''")}'`
    : `"${text.replaceAll("\\", "\\\\")}"`;
}
