import type { Language } from "./language.ts";

/** Longer summaries are cut: the index is one line a file. */
const MAX_SUMMARY = 140;

/** Tells the reader nothing about the file: rights, and words to tools. */
const BOILERPLATE =
  /copyright|@license|licensed under|\b(?:mit|bsd|apache|general public) licen[cs]e|spdx-|all rights reserved|^(?:!|eslint|oxlint|prettier-|tslint|jshint|biome-|@ts-|@flow|@jsx|@vitest|@jest|(?:istanbul|c8|v8) ignore|#?(?:end)?region\b|go:|\+build|nolint|-\*-|vim?:|coding[:=]|frozen_string_literal|encoding:|typed:|rubocop|pylint|flake8|noqa|mypy:|type: ignore|ruff:|yaml-language-server|shellcheck|syntax=|<reference|sourcemappingurl)/i;

/** What the comment at the head of a file says, as its first sentence; empty if there is none. */
export function readSummary(lines: readonly string[], language: Language): string {
  switch (language.comments) {
    case "slash":
      return firstOf(slashBlocks(lines, documentedBy(lines, language)));
    case "hash":
      return firstOf(lineBlocks(lines, HASH)) || sentence(valueOf(lines, NAMED));
    case "dash":
      return firstOf(lineBlocks(lines, /^--+(.*)/));
    case "docstring":
      return docstring(lines) || firstOf(lineBlocks(lines, HASH));
    case "heading":
      return sentence(heading(lines));
    case "json":
      return sentence(valueOf(lines, /^\s{0,8}"description"\s*:\s*"([^"\\]+)"/));
    case "none":
      return "";
  }
}

const HASH = /^#+(?!!)(.*)/;
/** Workflows and manifests say what they are in a field. */
const NAMED = /^(?:name|title|description)\s*[:=]\s*["']?([^"']+)/;

function firstOf(blocks: Iterable<readonly string[]>): string {
  for (const block of blocks) {
    const found = sentence(paragraph(block));
    if (found !== "") return found;
  }
  return "";
}

/** How C# and Java mark up their comments; `<name>` in others is a placeholder. */
const XML = /<\/?(?:summary|remarks|para|p|c|b|i|code|pre|ul|li|br)\s?\/?>/gi;

/** The first lines of a comment that say something, up to a blank one or a tag. */
function paragraph(block: readonly string[]): string {
  const said: string[] = [];
  for (const raw of block) {
    const line = raw.replace(XML, " ").trim();
    const text = /^@(?:file|fileoverview|overview|module|brief|description)\b\s*(.*)/.exec(line);
    if (BOILERPLATE.test(line)) break;
    if (text === null && /^[@\\][a-z]/i.test(line)) break;
    const words = withoutRules(text?.[1] ?? line);
    if (words !== "") said.push(words);
    else if (said.length > 0) break;
  }
  return said.join(" ");
}

/** Some frame their comments: `===== Parser =====`. */
function withoutRules(line: string): string {
  const isRule = (i: number): boolean => "-=*_#~/ ".includes(line.charAt(i));
  let start = 0;
  let end = line.length;
  while (start < end && isRule(start)) start++;
  while (end > start && isRule(end - 1)) end--;
  const framed = start >= 3 || start === line.length;
  return line.slice(framed ? start : 0, line.length - end >= 3 ? end : line.length).trim();
}

/** Up to its first full stop, if that is not the end of an abbreviation. */
function sentence(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  const end = /[.!?](?= [\p{Lu}`"'([]|$)/u.exec(line.slice(SHORTEST, MAX_SUMMARY + 1));
  if (end !== null) return line.slice(0, SHORTEST + end.index).trimEnd();
  return line.length > MAX_SUMMARY
    ? `${line.slice(0, MAX_SUMMARY - 1).trimEnd()}…`
    : line.replace(/[.:]$/, "");
}

const SHORTEST = 8;

/** Whether what a comment stands above is what others use of this file, or all there is at its top level. */
function documentedBy(
  lines: readonly string[],
  { exported, topLevel }: Language,
): (line: string) => boolean {
  if (exported.length === 0) return () => true;
  const matches = (patterns: readonly RegExp[]) => (line: string) =>
    patterns.some((pattern) => pattern.test(line));
  return lines.some(matches(exported)) ? matches(exported) : matches(topLevel);
}

/** Comments before any code; then those that document a declaration. */
function* slashBlocks(
  lines: readonly string[],
  isDocumented: (line: string) => boolean,
): Generator<string[]> {
  let isHead = true;
  for (let i = 0; i < lines.length; i++) {
    const text = (lines[i] as string).trim();
    const block: string[] = [];
    if (text.startsWith("/*")) {
      let rest = text.replace(/^\/\*+!?/, "");
      while (!rest.includes("*/") && i + 1 < lines.length) {
        block.push(rest);
        rest = (lines[++i] as string).trim().replace(/^\*(?!\/)/, "");
      }
      block.push(rest.split("*/", 1)[0] as string);
    } else if (text.startsWith("//")) {
      for (; lines[i]?.trim().startsWith("//"); i++)
        block.push((lines[i] as string).trim().replace(/^\/\/+!?/, ""));
      i--;
    } else {
      if (text !== "" && !/^(?:#!|<\?php|<script|["']use )/.test(text)) isHead = false;
      continue;
    }
    if (isHead || isDocumented(nextCode(lines, i + 1))) yield block;
  }
}

/** Decorators and attributes stand between a comment and what it is about. */
function nextCode(lines: readonly string[], start: number): string {
  for (const line of lines.slice(start, start + 10)) {
    if (line.trim() !== "" && !/^\s*(?:@\w|#\[|\[)/.test(line)) return line;
  }
  return "";
}

/** Code that may stand above the comment that tells what a file is for. */
const PREAMBLE = /^(?:#!|require|import|from|use |using|include|package|syntax|set -|---|<\?xml)/;

function* lineBlocks(lines: readonly string[], comment: RegExp): Generator<string[]> {
  let block: string[] = [];
  for (const line of lines) {
    const text = line.trim();
    const said = comment.exec(text);
    if (said !== null) {
      block.push(said[1] as string);
      continue;
    }
    if (block.length > 0) yield block;
    block = [];
    if (text !== "" && !PREAMBLE.test(text)) return;
  }
  if (block.length > 0) yield block;
}

/** The module's, or that of the first class or function. */
function docstring(lines: readonly string[]): string {
  for (let i = 0; i < lines.length; i++) {
    const [, quote] = /^\s*[rRuU]?("""|''')/.exec(lines[i] as string) ?? [];
    if (quote === undefined) continue;
    const block: string[] = [];
    let rest = (lines[i] as string).replace(/^\s*[rRuU]?(?:"""|''')/, "");
    while (!rest.includes(quote) && i + 1 < lines.length) {
      block.push(rest);
      rest = lines[++i] as string;
    }
    block.push(rest.split(quote, 1)[0] as string);
    const found = sentence(paragraph(block));
    if (found !== "") return found;
  }
  return "";
}

function heading(lines: readonly string[]): string {
  let start = 0;
  if (lines[0]?.trimEnd() === "---") {
    const end = lines.findIndex((line, i) => i > 0 && line.trimEnd() === "---");
    const title = lines
      .slice(1, Math.max(1, end))
      .map((line) => /^(?:title|description):(.*)/.exec(line)?.[1])
      .map((text) => text?.trim().replace(/^["']|["']$/g, ""))
      .find((text) => text !== undefined && text !== "");
    if (title !== undefined) return title;
    start = end + 1;
  }
  const body = lines.slice(start);
  const marked = body
    .map((line) => /^(?:#{1,6}|={1,6})\s+(\S.*)$/.exec(line)?.[1])
    .find((text) => text !== undefined);
  const plain = body.find((line) => /^\s*[\p{L}\p{N}"'`*_[(]/u.test(line));
  return (marked ?? plain ?? "").replace(/(?<![\s#])[\s#]+$/, "");
}

function valueOf(lines: readonly string[], pattern: RegExp): string {
  for (const line of lines) {
    const text = pattern.exec(line)?.[1];
    if (text !== undefined) return text;
  }
  return "";
}
