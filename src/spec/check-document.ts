import type { LineDiagnostic } from "../text/diagnostic.ts";
import { type Line, readMarkdown, withoutCode } from "../text/markdown.ts";
import { findPlaceholders, locatePlaceholder, PLACEHOLDER } from "./placeholders.ts";
import {
  matcherOf,
  plainTitle,
  readOutline,
  readSections,
  type Section,
} from "../text/sections.ts";
import { findUnresolved } from "./unresolved.ts";

/** What a document lacks of what its template asks for, from top to bottom. The template alone says what that is. */
export function checkDocument(text: string, template: string): LineDiagnostic[] {
  const lines = readMarkdown(text);
  if (lines.every(({ kind }) => kind === "blank" || kind === "hidden" || kind === "rule")) {
    return [
      {
        severity: "error",
        code: "document-empty",
        message: "The document is empty.",
        fix: "Write it by its template.",
        line: 1,
      },
    ];
  }
  const shape = readMarkdown(template);
  const shown = shownText(lines);
  const found = [
    ...checkSections(lines, shape),
    ...checkPlaceholders(shown, findPlaceholders(shownText(shape))),
    ...findUnresolved(shown),
  ];
  // The sort is stable: on one line the order above holds.
  return found.sort((a, b) => a.line - b.line);
}

/** A template with only those of its sections that another one has too: who writes by the other knows no more. */
export function commonSections(template: string, other: string): string {
  const known = readSections(readMarkdown(other)).map(({ title }) => title);
  return template.replace(/^#{1,6} +(.*)$/gm, (heading, title: string) =>
    known.some(matcherOf(title, PLACEHOLDER) ?? (() => false)) ? heading : "",
  );
}

/** All that a reader sees but code, line for line. */
const shownText = (lines: readonly Line[]): string =>
  lines
    .map(({ kind, text }) => (kind === "text" || kind === "heading" ? withoutCode(text) : ""))
    .join("\n");

function checkSections(lines: readonly Line[], template: readonly Line[]): LineDiagnostic[] {
  const own = readSections(lines);
  const outline = readOutline(template);
  const wanted = [...outline.required, ...outline.optional]
    .sort((a, b) => a.line - b.line)
    .flatMap(({ title, line }) => {
      const matches = matcherOf(title, PLACEHOLDER);
      return matches === undefined ? [] : [{ title, line, matches }];
    });
  const present = wanted.map(({ matches }) => own.find(({ title }) => matches(title)));
  const isRequired = (line: number): boolean => outline.required.some((one) => one.line === line);
  const missing = wanted.flatMap(({ title, line, matches }, i) =>
    present[i] === undefined && isRequired(line)
      ? [missingSection(title, lines, matches, present.slice(i))]
      : [],
  );
  const empty = own
    .filter(({ isEmpty }) => isEmpty)
    .filter(({ level, title }) => level === 2 || wanted.some(({ matches }) => matches(title)))
    .map(emptySection);
  return [...missing, ...empty];
}

function missingSection(
  title: string,
  lines: readonly Line[],
  matches: (title: string) => boolean,
  behind: readonly (Section | undefined)[],
): LineDiagnostic {
  const name = plainTitle(title);
  const finding = { severity: "error", code: "section-missing" } as const;
  // A fence that is never closed takes everything below it.
  const fenced = lines.find(
    ({ kind, text }) => kind === "code" && matches(/^#{1,6}\s+(.*)/.exec(text)?.[1] ?? ""),
  );
  if (fenced !== undefined) {
    return {
      ...finding,
      message: `The section "${name}" stands in a code block.`,
      fix: "Close the code block above it, or take the fence away.",
      line: fenced.number,
    };
  }
  return {
    ...finding,
    message: `The section "${name}" is missing.`,
    fix: `Add "## ${name}" here; if there is nothing to say, say so and why in one line.`,
    line: behind.find((section) => section !== undefined)?.line ?? lines.length,
  };
}

const emptySection = ({ title, line }: Section): LineDiagnostic => ({
  severity: "error",
  code: "section-empty",
  message: `The section "${plainTitle(title)}" has nothing in it.`,
  fix: "Write it; if there is nothing to say, say so and why in one line.",
  line,
});

function checkPlaceholders(shown: string, placeholders: readonly string[]): LineDiagnostic[] {
  return placeholders.flatMap((placeholder) => {
    const [first, ...others] = locatePlaceholder(placeholder, shown);
    if (first === undefined) return [];
    const more = others.length === 0 ? "" : `, ${others.length + 1} times`;
    return [
      {
        severity: "error",
        code: "placeholder",
        message: `${shorten(placeholder)} of the template is still there${more}.`,
        fix: "Put what it asks for in its place, or take it out where it does not apply.",
        line: shown.slice(0, first).split("\n").length,
      },
    ];
  });
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return line.length > 60 ? `${line.slice(0, 57)}…${line.at(-1)}` : line;
}
