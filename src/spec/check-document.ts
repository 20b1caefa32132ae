import type { LineDiagnostic } from "../text/diagnostic.ts";
import { type Line, readMarkdown, renderShown } from "../text/markdown.ts";
import {
  makeMatcher,
  simplifyTitle,
  readOutline,
  readSections,
  type Section,
} from "../text/sections.ts";
import { findPlaceholders, locatePlaceholder, PLACEHOLDER } from "./placeholders.ts";
import { findUnresolved } from "./unresolved.ts";

/**
 * What a document lacks that its template asks for, from top to bottom. Only the template decides, and how many
 * questions for the user may stay.
 */
export function checkDocument(text: string, template: string, questions = 0): LineDiagnostic[] {
  const lines = readMarkdown(text);
  if (lines.every(({ kind }) => kind === "blank" || kind === "hidden" || kind === "rule")) {
    return [
      {
        severity: "error",
        code: "document-empty",
        message: "The document is empty.",
        fix: "Write it from its template.",
        line: 1,
      },
    ];
  }
  const shape = readMarkdown(template);
  const shown = renderShown(lines);
  const found = [
    ...checkSections(lines, shape),
    ...checkPlaceholders(shown, findPlaceholders(renderShown(shape))),
    ...findUnresolved(shown, questions),
  ];
  // The sort is stable, so problems on one line stay in the order above.
  return found.sort((a, b) => a.line - b.line);
}

/** A template reduced to the sections that another one has too: whoever follows the other knows no more. */
export function commonSections(template: string, other: string): string {
  const known = readSections(readMarkdown(other)).map(({ title }) => title);
  return template.replace(/^#{1,6} +(.*)$/gm, (heading, title: string) =>
    known.some(makeMatcher(title, PLACEHOLDER) ?? (() => false)) ? heading : "",
  );
}

function checkSections(lines: readonly Line[], template: readonly Line[]): LineDiagnostic[] {
  const own = readSections(lines);
  const wanted = readOutline(template).flatMap(({ title, isRequired }) => {
    const matches = makeMatcher(title, PLACEHOLDER);
    return matches === undefined ? [] : [{ title, isRequired, matches }];
  });
  const present = wanted.map(({ matches }) => own.find(({ title }) => matches(title)));
  const missing = wanted.flatMap(({ title, isRequired, matches }, i) =>
    present[i] === undefined && isRequired
      ? [reportMissing(title, lines, matches, present.slice(i))]
      : [],
  );
  const empty = own
    .filter(({ line, endLine }) => !lines.slice(line, endLine).some(isContent))
    .filter(({ level, title }) => level === 2 || wanted.some(({ matches }) => matches(title)))
    .map(reportEmpty);
  return [...missing, ...empty];
}

const isContent = ({ kind }: Line): boolean => kind === "text" || kind === "code";

function reportMissing(
  title: string,
  lines: readonly Line[],
  matches: (title: string) => boolean,
  behind: readonly (Section | undefined)[],
): LineDiagnostic {
  const name = simplifyTitle(title);
  const finding = { severity: "error", code: "section-missing" } as const;
  // A fence that is never closed swallows everything below it.
  const fenced = lines.find(
    ({ kind, text }) => kind === "code" && matches(/^#{1,6}\s+(.*)/.exec(text)?.[1] ?? ""),
  );
  if (fenced !== undefined) {
    return {
      ...finding,
      message: `The section "${name}" is inside a code block.`,
      fix: "Close the code block above it, or remove the fence.",
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

const reportEmpty = ({ title, line }: Section): LineDiagnostic => ({
  severity: "error",
  code: "section-empty",
  message: `The section "${simplifyTitle(title)}" is empty.`,
  fix: "Fill it in; if there is nothing to say, say so and why in one line.",
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
        message: `The placeholder ${shorten(placeholder)} is still there${more}.`,
        fix: "Replace it with what it asks for, or remove it if it does not apply.",
        line: shown.slice(0, first).split("\n").length,
      },
    ];
  });
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return line.length > 60 ? `${line.slice(0, 57)}…${line.at(-1)}` : line;
}
