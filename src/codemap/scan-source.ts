import { readSummary } from "./head-comment.ts";
import { type Language, languageOf } from "./language.ts";

/** Raised whenever a scan would say something else of the same file: older entries are then made anew. */
export const SCANNER = 1;

/** What is looked at: a file's head says what it is for, and reading costs the same however long it is. */
export const SCAN_CHARACTERS = 64 << 10;
/** No declaration is longer; a line of a bundle is. */
const MAX_LINE = 300;
const MAX_NAMES = 24;
const MAX_NAME = 60;
const MAX_LIST_LINES = 60;

export interface Scan {
  readonly summary: string;
  readonly names: readonly string[];
}

/** One look at each line, with patterns that begin at its start: the time grows with the text and no faster. */
export function scanSource(path: string, text: string): Scan {
  const language = languageOf(path);
  const lines = text
    .slice(0, SCAN_CHARACTERS)
    .replace(/^\uFEFF/, "")
    .split(/\r?\n|\r/)
    .map(cutLine);
  return { summary: readSummary(lines, language), names: readNames(lines, language) };
}

/** A comment that ends in what is cut off has ended all the same. */
const cutLine = (line: string): string =>
  line.length <= MAX_LINE
    ? line
    : `${line.slice(0, MAX_LINE)}${line.includes("*/", MAX_LINE - 1) ? " */" : ""}`;

function readNames(lines: readonly string[], language: Language): string[] {
  const code = lines.map(outsideComments(language));
  const exported = new Set<string>();
  for (let i = 0; i < code.length && exported.size < MAX_NAMES; i++) {
    const line = code[i] as string;
    if (language.lists?.test(line)) {
      for (const name of listedNames(code, i)) exported.add(name);
    } else addName(exported, line, language.exported);
  }
  if (exported.size === 0) {
    for (const line of code) {
      addName(exported, line, language.topLevel);
      if (exported.size >= MAX_NAMES) break;
    }
  }
  return [...exported].slice(0, MAX_NAMES);
}

function addName(names: Set<string>, line: string, patterns: readonly RegExp[]): void {
  if (line === "") return;
  for (const pattern of patterns) {
    const name = pattern.exec(line)?.[1];
    if (name === undefined) continue;
    if (name.length <= MAX_NAME) names.add(name);
    return;
  }
}

/** A declaration that stands in a comment, or in the text of a docstring, is none. */
function outsideComments({ comments }: Language): (line: string) => string {
  let end: string | undefined;
  return (line) => {
    if (end !== undefined) {
      if (line.includes(end)) end = undefined;
      return "";
    }
    const text = line.trimStart();
    if (comments === "slash" && text.startsWith("/*")) {
      if (!text.includes("*/")) end = "*/";
      return "";
    }
    if (comments === "docstring") {
      const quote = /"""|'''/.exec(text)?.[0];
      if (quote !== undefined && text.split(quote).length === 2) end = quote;
    }
    return line;
  };
}

/** `export { a, b as c }`: the names by which others know them. */
function listedNames(lines: readonly string[], start: number): string[] {
  const text: string[] = [];
  for (const line of lines.slice(start, start + MAX_LIST_LINES)) {
    text.push(line.split("//", 1)[0] as string);
    if (line.includes("}")) break;
  }
  const joined = text.join(" ");
  const inside = joined.slice(joined.indexOf("{") + 1).split("}", 1)[0] as string;
  return inside.split(",").flatMap((part) => {
    const words = (part.split(/[:(=]/, 1)[0] as string).trim().split(/\s+/);
    const name = words.at(-1) ?? "";
    return /^[\w$]+$/.test(name) && name.length <= MAX_NAME ? [name] : [];
  });
}
