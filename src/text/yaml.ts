import { plainValue, readFlow, readQuoted, type YamlValue } from "./yaml-inline.ts";

/*
 * As much YAML as the files of other tools need: mappings, lists, and scalars in all their styles. No anchors, tags or
 * several documents: a file with these is one that we cannot read. A library would cost the hook its time budget.
 */

/** Thrown where the text is something else. */
class Unreadable extends Error {}

/** Undefined if it cannot be read. */
export function parseYaml(text: string): YamlValue | undefined {
  const lines = text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .map((line) => line.trimEnd());
  if (/^---(?:\s+#.*)?$/.test(lines.find(isContent) ?? "")) lines[lines.findIndex(isContent)] = "";
  try {
    const reader: Reader = { lines, at: 0 };
    const first = peek(reader);
    const value = first === undefined ? null : readNode(reader, first.indent, 0);
    return peek(reader) === undefined ? value : undefined;
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

interface Reader {
  readonly lines: string[];
  at: number;
}

interface Line {
  readonly indent: number;
  readonly text: string;
}

const MAX_DEPTH = 20;

const isContent = (line: string): boolean => !/^\s*(?:#|$)/.test(line);

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** The next line that says something. */
function peek(reader: Reader): Line | undefined {
  while (reader.at < reader.lines.length && !isContent(reader.lines[reader.at] as string))
    reader.at++;
  const line = reader.lines[reader.at];
  if (line === undefined) return undefined;
  if (/^\s*\t/.test(line)) throw new Unreadable();
  return { indent: indentOf(line), text: line.trim() };
}

function readNode(reader: Reader, indent: number, depth: number): YamlValue {
  if (depth > MAX_DEPTH) throw new Unreadable();
  const { text } = peek(reader) as Line;
  if (isItem(text)) return readList(reader, indent, depth);
  if (splitKey(text) !== undefined) return readMapping(reader, indent, depth);
  reader.at++;
  return readScalar(reader, text, indent - 1);
}

const isItem = (text: string): boolean => /^-(?:\s|$)/.test(text);

function readList(reader: Reader, indent: number, depth: number): YamlValue[] {
  const items: YamlValue[] = [];
  for (let line = peek(reader); line?.indent === indent && isItem(line.text); line = peek(reader)) {
    const rest = line.text.slice(1).trimStart();
    if (rest === "" || rest.startsWith("#")) {
      reader.at++;
      items.push(readBelow(reader, indent, depth, false));
    } else if (isItem(rest) || splitKey(rest) !== undefined) {
      // The rest is the first line of a node that begins where it stands.
      const at = indent + line.text.length - rest.length;
      reader.lines[reader.at] = " ".repeat(at) + rest;
      items.push(readNode(reader, at, depth + 1));
    } else {
      reader.at++;
      items.push(readScalar(reader, rest, indent));
    }
  }
  return items;
}

function readMapping(reader: Reader, indent: number, depth: number): YamlValue {
  const entries = new Map<string, YamlValue>();
  for (let line = peek(reader); line?.indent === indent; line = peek(reader)) {
    const pair = isItem(line.text) ? undefined : splitKey(line.text);
    if (pair === undefined || entries.has(pair.key)) throw new Unreadable();
    reader.at++;
    const isEmpty = pair.rest === "" || pair.rest.startsWith("#");
    const value = isEmpty
      ? readBelow(reader, indent, depth, true)
      : readScalar(reader, pair.rest, indent);
    entries.set(pair.key, value);
  }
  return Object.fromEntries(entries);
}

/** What follows a key or a dash with nothing after it. A list may stand right below its key. */
function readBelow(reader: Reader, indent: number, depth: number, isKey: boolean): YamlValue {
  const next = peek(reader);
  const isInside =
    next !== undefined &&
    (next.indent > indent || (isKey && next.indent === indent && isItem(next.text)));
  return isInside ? readNode(reader, next.indent, depth + 1) : null;
}

/** `key: rest`; a colon that no space follows is part of the key. */
function splitKey(text: string): { readonly key: string; readonly rest: string } | undefined {
  const quoted = readQuoted(text);
  if (quoted !== undefined) {
    const rest = /^\s*:(?:\s+(.*))?$/s.exec(text.slice(quoted.length));
    return rest === null ? undefined : { key: quoted.value, rest: rest[1] ?? "" };
  }
  const [, key, rest = ""] =
    /^([^\s"'#&*!|>%@`[\]{},](?:[^#:]|:(?!\s|$))*):(?:\s+(.*))?$/s.exec(text) ?? [];
  return key === undefined ? undefined : { key: key.trimEnd(), rest };
}

/** A value that begins with `rest`, and may go on in lines that are indented further than `indent`. */
function readScalar(reader: Reader, rest: string, indent: number): YamlValue {
  const block = /^([|>])[-+]?(?:\s+#.*)?$/.exec(rest);
  if (block !== null) return readBlock(reader, indent, block[1] === ">", rest);
  let text = rest;
  if (/^["'[{]/.test(rest)) {
    for (;;) {
      const found = readQuoted(text) ?? readFlow(text);
      if (found !== undefined) {
        if (!/^(?:\s+#.*)?$/.test(text.slice(found.length))) throw new Unreadable();
        return found.value;
      }
      const line = reader.lines[reader.at];
      if (line === undefined || (line !== "" && indentOf(line) <= indent)) throw new Unreadable();
      reader.at++;
      text += `\n${line.trim()}`;
    }
  }
  if (/^[&*!|>%@`]/.test(rest)) throw new Unreadable();
  const parts = [withoutComment(rest)];
  while (parts.at(-1) === withoutComment(parts.at(-1) as string)) {
    const gap = blankLines(reader);
    const line = reader.lines[reader.at + gap];
    if (line === undefined || indentOf(line) <= indent || !isContent(line)) break;
    const more = line.trim();
    if (splitKey(more) !== undefined) throw new Unreadable();
    parts.push((gap > 0 ? "\n".repeat(gap) : " ") + withoutComment(more));
    reader.at += gap + 1;
    if (withoutComment(more) !== more) break;
  }
  return parts.length === 1 ? plainValue(parts[0] as string) : parts.join("");
}

function blankLines({ lines, at }: Reader): number {
  let gap = 0;
  while (lines[at + gap] === "") gap++;
  return gap;
}

const withoutComment = (text: string): string => text.replace(/(?<!\s)\s+#.*$/s, "");

function readBlock(reader: Reader, indent: number, folds: boolean, style: string): string {
  const lines: string[] = [];
  for (let line = reader.lines[reader.at]; line !== undefined; line = reader.lines[reader.at]) {
    if (line !== "" && indentOf(line) <= indent) break;
    lines.push(line);
    reader.at++;
  }
  const own = Math.min(...lines.filter((line) => line !== "").map(indentOf));
  const text = lines.map((line) => line.slice(Math.min(own, line.length))).join("\n");
  const folded = folds ? text.replace(/(?<=\S)\n(?=\S)/g, " ") : text;
  const trimmed = folded.replace(/(?<!\n)\n+$/, "");
  return style.includes("-") || trimmed === "" ? trimmed : `${trimmed}\n`;
}
