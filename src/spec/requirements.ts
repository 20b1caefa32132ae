import { isRowRule, type Line, readMarkdown, splitRow } from "../text/markdown.ts";
import { readSections } from "../text/sections.ts";
import { findIds, kindOf, resolveIds, splitFirstId, storyOf } from "./requirement-ids.ts";

/** Something that a requirements document demands, with its own id. */
export interface Requirement {
  /** Without leading zeros and in one spelling: `FR-1`, `AC-1.2`, `US-1`. */
  readonly id: string;
  /** As the document writes it. */
  readonly written: string;
  readonly title: string;
  readonly line: number;
  /** The story that a criterion belongs to. */
  readonly story: string | undefined;
  /** Other requirements that its own line names. */
  readonly mentions: readonly string[];
  /** In a section of what will not be built. */
  readonly isOutOfScope: boolean;
  /** How tasks name it, where requirements have names and no ids. */
  readonly names?: readonly string[];
  /** What it is a requirement of, and the file that says so, if there are several. */
  readonly capability?: string;
  readonly file?: string;
}

const OUT_OF_SCOPE =
  /\b(?:out[- ]of[- ]scope|not in scope|non-?goals?|exclusions?|excluded|deferred|future|won['’]t)\b/i;

/** `| NFR-1 | None |` demands nothing. */
const NONE = /^(?:none|n\/a|not applicable)\b[.,;:]?(?:\s.*)?$/i;

/**
 * The requirements that a document defines: by a heading, a list item, a table row or a paragraph that begins with an
 * id. An id in the middle of a sentence defines nothing; of two definitions the first counts.
 */
export function parseRequirements(text: string): Requirement[] {
  const found = new Map<string, Requirement & { readonly text: string }>();
  let header: readonly string[] = [];
  let above: readonly string[] | undefined;
  let story: string | undefined;
  const lines = readMarkdown(text);
  const excluded = readSections(lines).filter(({ title }) => OUT_OF_SCOPE.test(title));
  for (const line of lines) {
    if (line.kind !== "text" && line.kind !== "heading") continue;
    const row = line.kind === "text" ? splitRow(line.text) : undefined;
    if (row !== undefined && isRowRule(row)) header = above ?? [];
    above = row;
    const { number } = line;
    const defined = row === undefined ? readDefinition(line) : readRow(row, header);
    if (line.kind === "heading")
      story = defined?.id.startsWith("US-") === true ? defined.id : undefined;
    if (defined === undefined || found.has(defined.id) || NONE.test(defined.title)) continue;
    found.set(defined.id, {
      ...defined,
      line: number,
      story: storyOf(defined.id) ?? (kindOf(defined.id) === "AC" ? story : undefined),
      mentions: [],
      isOutOfScope: excluded.some((one) => one.line <= number && number <= one.endLine),
      text: line.text,
    });
  }
  const known = new Set(found.keys());
  return [...found.values()].map(({ text: own, ...requirement }) => {
    const named = findIds(own).flatMap((reference) => resolveIds(reference, known).ids);
    const mentions = [...new Set(named)].filter((id) => id !== requirement.id);
    return { ...requirement, mentions };
  });
}

type Definition = Pick<Requirement, "id" | "written" | "title">;

/** A box, and the marks that open around an id. */
const OPENING = /^(?:\[[ xX]\]\s+)?([*_`[]*)/;
/** What may come between an id and its meaning: `** (Must)`, ` [P1]`. */
const BETWEEN = /^[*_`\]]*(?:\s*(?:\([^()]*\)|\[[^[\]]*\]))?[*_`\]]*/;

function readDefinition({ kind, text, isItem }: Line): Definition | undefined {
  const [opening = "", marks = ""] = OPENING.exec(text) ?? [];
  const first = splitFirstId(text.slice(opening.length));
  if (first === undefined) return undefined;
  const between = BETWEEN.exec(first.rest)?.[0] ?? "";
  const rest = first.rest.slice(between.length);
  const isBold = marks.includes("**") || marks.includes("__");
  const isDefined =
    kind === "heading"
      ? /^(?:$|\s*[:–—|-]|\.\s|\s+(?!to\b|through\b|and\b|&))/.test(rest) &&
        !/^\s*[-–—.]+\s*(?:US|AC|N?FR|SC)-?\d/i.test(rest)
      : /^\s*:/.test(rest) ||
        (isItem && /^(?:\s*[–—]\s*(?!(?:US|AC|N?FR|SC)-?\d)|\s+-\s|\.\s)/.test(rest)) ||
        (isItem && isBold && /^[*_]/.test(between) && /^\s+\S/.test(rest));
  return isDefined ? { ...first, title: titleOf(rest) } : undefined;
}

const titleOf = (text: string): string =>
  text
    .replace(/^[\s:.|–—-]+/, "")
    .replace(/\*\*|__/g, "")
    .replace(/\(Priority:[^()]*\)[^]*/i, "")
    .trim();

const TITLE = /requirement|description|title|story|criteri|need|what/i;

/** A row that begins with a cell for the id. */
function readRow(row: readonly string[], header: readonly string[]): Definition | undefined {
  const at = /^#?\d*$/.test(row[0] ?? "") ? 1 : 0;
  const cell = (row[at] ?? "").replace(/^[*_`[]+|(?<![*_`\]])[*_`\]]+$/g, "");
  const first = splitFirstId(cell);
  if (first === undefined || first.rest !== "") return undefined;
  const titled = header.findIndex((name, i) => i > at && TITLE.test(name));
  const title = row[titled] || row.slice(at + 1).find((one) => one !== "") || "";
  return { ...first, title: titleOf(title) };
}
