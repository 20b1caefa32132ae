import { keepStart } from "../text/cut.ts";

/** Increased whenever a file would get another summary: entries of an older scanner are redone. */
export const SCANNER = 2;

/** Only the start of a file is read, so a long file costs no more than a short one. */
export const HEAD_CHARACTERS = 16 << 10;
const HEAD_LINES = 80;
const MAX_LINE = 300;
const MAX_SUMMARY = 140;

/** A comment, docstring or heading that starts at the margin, in any language, and the words in it. */
const COMMENT =
  /^(?:\/\/+!?|\/\*+!?| ?\*|#+(?= )|--+(?= )|=+(?= )|<!--+|[rRuU]?(?:"""|'''))\s*([\p{L}\p{N}`"'([].*)/u;
const COMMENT_END = /(?:\*\/|-->|"""|'''|(?<![#=])[#=]+)$/;
const RIGHTS = /copyright|licen[cs]e|spdx-|all rights reserved/i;
/** Addressed to a tool: `eslint-disable`, `coding: utf-8`, `go:build linux`. */
const FOR_A_TOOL = /^(?:(?:eslint|oxlint|prettier|biome|shellcheck|pylint|rubocop)\b|[\w-]+[:=])/i;

/** The first comment line or heading that says something, up to the end of its first sentence. */
export function summarize(text: string): string {
  let isRights = false;
  for (const line of text.replace(/^\uFEFF/, "").split(/\r?\n|\r/, HEAD_LINES)) {
    const [, said = ""] = COMMENT.exec(line.slice(0, MAX_LINE)) ?? [];
    const words = said.trim().replace(COMMENT_END, "").trim();
    isRights ||= RIGHTS.test(words);
    // A licence runs to the end of its comment.
    if (isRights) isRights = line.trim() !== "" && !line.includes("*/");
    else if (words !== "" && !FOR_A_TOOL.test(words)) return firstSentence(words);
  }
  return "";
}

function firstSentence(text: string): string {
  const [line] = text.split(/[.!?](?= \p{Lu}|$)/u, 1) as [string];
  return keepStart(line, MAX_SUMMARY);
}
