import { parseFrontMatter } from "./front-matter.ts";

/**
 * A file with one more value in its front matter, or another one than before; everything else stays. Undefined if that
 * takes more than one line: then it is for the user to do.
 */
export function setFrontMatter(text: string, key: string, value: string): string | undefined {
  const line = `${key}: ${value}`;
  const { state, values } = parseFrontMatter(text, [key]);
  if (state === "absent")
    return text === "" ? `---\n${line}\n---\n` : `---\n${line}\n---\n\n${text}`;
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  if (!values.has(key)) return text.replace(/^---[ \t]*\r?\n/m, (rule) => `${rule}${line}${end}`);
  const lines = text.split(/\r?\n/);
  const isIt = (one: string): boolean => new RegExp(`^${key}\\s*:`, "i").test(one);
  const at = lines.findIndex(isIt);
  const isWhole = /^[^:]*:\s*(?:[^\s[#].*|\[[^\]]*\]\s*(?:#.*)?)$/s.test(lines[at] ?? "");
  if (!isWhole || lines.filter(isIt).length > 1 || /^\s*-\s/.test(lines[at + 1] ?? ""))
    return undefined;
  return lines.with(at, line).join(end);
}
