import type { Line } from "./markdown.ts";

/** A heading with all that stands below it, up to the next one of its level or above. */
export interface Section {
  readonly title: string;
  readonly level: number;
  readonly line: number;
  readonly isEmpty: boolean;
}

export function readSections(lines: readonly Line[]): Section[] {
  return lines.flatMap(({ kind, text, level, number }, i) =>
    kind === "heading"
      ? [{ title: text, level, line: number, isEmpty: isEmpty(lines, i, level) }]
      : [],
  );
}

function isEmpty(lines: readonly Line[], heading: number, level: number): boolean {
  for (let i = heading + 1; i < lines.length; i++) {
    const { kind, level: own } = lines[i] as Line;
    if (kind === "text" || kind === "code") return false;
    if (kind === "heading" && own <= level) return true;
  }
  return true;
}

const MANDATORY = /\(mandatory\)[*_\s]*$/i;
const OPTIONAL = /\(optional\)[*_\s]*$/i;

export interface Outline {
  readonly required: readonly Section[];
  /** Those a document may leave out, but not leave empty. */
  readonly optional: readonly Section[];
}

/**
 * Which sections a template wants: all of level 2 but those marked `(optional)`; where it marks some as
 * `(mandatory)`, as Spec Kit's do, only those.
 */
export function readOutline(lines: readonly Line[]): Outline {
  const sections = readSections(lines);
  const marked = sections.filter(({ title }) => MANDATORY.test(title));
  const required =
    marked.length > 0
      ? marked
      : sections.filter(({ level, title }) => level === 2 && !OPTIONAL.test(title));
  return { required, optional: sections.filter((one) => one.level > 1 && !required.includes(one)) };
}

/** As a writer would put it: without marks and emphasis. */
export const plainTitle = (title: string): string => withoutMarks(title).replace(/[*_`]/g, "");

function withoutMarks(title: string): string {
  let text = withoutTail(title);
  while (text.endsWith(")") && text.lastIndexOf("(") > 0) {
    text = withoutTail(text.slice(0, text.lastIndexOf("(")));
  }
  return text;
}

/** A scan from the end: what is cut off is looked at once, however many marks there are. */
function withoutTail(text: string): string {
  let end = text.length;
  while (/[*_\s]/.test(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** Case, numbering, emphasis, marks and punctuation do not tell two headings apart. */
function normal(title: string): string {
  return withoutMarks(title)
    .toLowerCase()
    .replaceAll("&", " and ")
    .replace(/[*_`~]/g, "")
    .replace(/^\s*\d+(?:[.)]\d+)*[.):]?\s+/, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** `Goal: faster exports` is a `Goal`. */
const keysOf = (title: string): string[] => [
  normal(title),
  normal(title.split(/:|\s[-–—]\s/, 1)[0] as string),
];

/**
 * Tells whether a document's heading is the one of the template, in which `holes` stand for what the writer chooses.
 * Undefined for a heading that is all the writer's.
 */
export function matcherOf(title: string, holes: RegExp): ((own: string) => boolean) | undefined {
  const parts = withoutMarks(title).split(holes).map(normal);
  if (parts.every((part) => part === "")) return undefined;
  if (parts.length === 1) return (own) => keysOf(own).includes(parts[0] as string);
  return (own) => holdsInOrder(normal(own), parts);
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
