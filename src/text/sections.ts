import type { Line } from "./markdown.ts";

/** A heading with everything after it, up to the next one of its level or above. */
export interface Section {
  readonly title: string;
  readonly level: number;
  readonly line: number;
  readonly endLine: number;
}

/** From the last line up: what ends a section is known before the section begins. */
export function readSections(lines: readonly Line[]): Section[] {
  const sections: Section[] = [];
  const ends = Array<number>(7).fill(lines.length);
  for (const { kind, text, level, number } of lines.toReversed()) {
    if (kind !== "heading") continue;
    sections.push({ title: text, level, line: number, endLine: ends[level] as number });
    ends.fill(number - 1, level);
  }
  return sections.reverse();
}

/**
 * A section of the notes that agents and people keep, by its heading: the index of its first line, and the one after
 * its last. Every `#` and `##` at the margin counts: a fence left open must not hide what follows.
 */
export function findNotes(
  lines: readonly string[],
  isHeading: (line: string) => boolean,
): { readonly start: number; readonly end: number } | undefined {
  const start = lines.findIndex(isHeading);
  if (start === -1) return undefined;
  const next = lines.findIndex((line, i) => i > start && /^##?\s/.test(line));
  return { start, end: next === -1 ? lines.length : next };
}

/** The lines below a heading of a person's notes; none without it. */
export function linesBelow(text: string, isHeading: (line: string) => boolean): string[] {
  const lines = text.split(/\r?\n/);
  const notes = findNotes(lines, isHeading);
  return notes === undefined ? [] : lines.slice(notes.start + 1, notes.end);
}

/** Without the blank lines at both ends. */
export function trimBlank(lines: readonly string[]): readonly string[] {
  const isText = (line: string): boolean => line.trim() !== "";
  const first = lines.findIndex(isText);
  return first === -1 ? [] : lines.slice(first, lines.findLastIndex(isText) + 1);
}

const MANDATORY = /\(mandatory\)[*_\s]*$/i;
const OPTIONAL = /\(optional\)[*_\s]*$/i;

/** A section that a document may leave out, but not leave empty, unless it is required. */
export interface TemplateSection extends Section {
  readonly isRequired: boolean;
}

/**
 * The sections that a template asks for. Required are all of level 2 but those marked `(optional)`; where it marks some
 * as `(mandatory)`, as Spec Kit's do, only those.
 */
export function readOutline(lines: readonly Line[]): TemplateSection[] {
  const sections = readSections(lines);
  const hasMarks = sections.some(({ title }) => MANDATORY.test(title));
  return sections
    .map((section) => ({
      ...section,
      isRequired: hasMarks
        ? MANDATORY.test(section.title)
        : section.level === 2 && !OPTIONAL.test(section.title),
    }))
    .filter(({ level, isRequired }) => level > 1 || isRequired);
}

/** As a writer would put it, without marks and emphasis. */
export const simplifyTitle = (title: string): string => stripMarks(title).replace(/[*_`]/g, "");

function stripMarks(title: string): string {
  let text = stripTail(title);
  while (text.endsWith(")") && text.lastIndexOf("(") > 0) {
    text = stripTail(text.slice(0, text.lastIndexOf("(")));
  }
  return text;
}

/** Scans from the end, so that each character is looked at once, however many marks there are. */
function stripTail(text: string): string {
  let end = text.length;
  while (/[*_\s]/.test(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** Case, numbering, emphasis, marks and punctuation do not tell two headings apart. */
function normalizeTitle(title: string): string {
  return stripMarks(title)
    .toLowerCase()
    .replaceAll("&", " and ")
    .replace(/[*_`~]/g, "")
    .replace(/^\s*\d+(?:[.)]\d+)*[.):]?\s+/, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** `Goal: faster exports` is a `Goal`. */
const keysOf = (title: string): string[] => [
  normalizeTitle(title),
  normalizeTitle(title.split(/:|\s[-–—]\s/, 1)[0] as string),
];

/**
 * Tests whether a document's heading matches the template's, in which `holes` are for the writer to fill.
 * Undefined for a heading that is nothing but a hole.
 */
export function makeMatcher(title: string, holes: RegExp): ((own: string) => boolean) | undefined {
  const parts = stripMarks(title).split(holes).map(normalizeTitle);
  if (parts.every((part) => part === "")) return undefined;
  if (parts.length === 1) return (own) => keysOf(own).includes(parts[0] as string);
  return (own) => holdsInOrder(normalizeTitle(own), parts);
}

function holdsInOrder(text: string, parts: readonly string[]): boolean {
  if (!text.startsWith(parts[0] as string) || !text.endsWith(parts.at(-1) as string)) return false;
  let at = 0;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return true;
}
