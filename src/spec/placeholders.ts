import { isTag } from "../tasks/tags.ts";

/** Guidance in a template that the writer must replace: `<in angle brackets>`, `[IN SQUARE ONES]`. */
const ANGLE = String.raw`(?<![\w)\]])<(?=[^\s<>/!])(?:[^<>\n]|\n(?!\n))+>`;
const SQUARE = String.raw`(?<![!\]])\[(?:[^[\]\n]|\n(?!\n))+\](?![[(])`;

/** Candidates; `isPlaceholder` decides. */
export const PLACEHOLDER = new RegExp(`${ANGLE}|${SQUARE}`, "gu");

/** The placeholders of a template, each once. `text` is without code and comments. */
export function findPlaceholders(text: string): string[] {
  const found = [...text.matchAll(PLACEHOLDER)]
    .filter((match) => isPlaceholder(match[0], text, match.index))
    .map(([placeholder]) => placeholder);
  return [...new Set(found)];
}

function isPlaceholder(found: string, text: string, at: number): boolean {
  const inner = found.slice(1, -1).trim();
  return found.startsWith("<") ? isGuidance(inner, text) : isBlank(inner, text, at, found.length);
}

const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i;

/** Not a tag and not an address. */
function isGuidance(inner: string, text: string): boolean {
  const name = /^[a-z][\w-]*/i.exec(inner)?.[0] ?? "";
  if (/=["']/.test(inner) || VOID.test(inner.replace(/\/$/, "").trimEnd())) return false;
  if (!/\s/.test(inner) && /[:@]/.test(inner)) return false;
  return name === "" || !text.toLowerCase().includes(`</${name.toLowerCase()}>`);
}

/** `[Describe the journey]`, `[DATE]`, `[action]`; not a box, a tag, a footnote, a link or its target. */
function isBlank(inner: string, text: string, at: number, length: number): boolean {
  // Tags of tasks stay.
  if (isTag(inner) || /^(?:NEEDS CLARIFICATION|\^)/.test(inner)) return false;
  const isAlone = at === 0 || text[at - 1] === "\n";
  if (text[at + length] === ":" && isAlone) return false;
  return (
    /^\S+\s+\S/.test(inner) ||
    /^[A-Z#][A-Z0-9_#-]{2,}$/.test(inner) ||
    /^[a-z][\w-]{2,}$/.test(inner)
  );
}

/** Where a document still has a placeholder of the template; `text` is without code and comments. */
export function locatePlaceholder(placeholder: string, text: string): number[] {
  const literal = placeholder
    .replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")
    .replace(/\s+/g, String.raw`\s+`);
  const pattern = placeholder.startsWith("<")
    ? String.raw`(?<![\w)\]])${literal}`
    : String.raw`(?<![!\]])${literal}(?![[(])`;
  // `[text]` may be a link whose target is defined elsewhere.
  const isLink = placeholder.startsWith("[") && text.includes(`\n${placeholder}:`);
  return [...text.matchAll(new RegExp(pattern, "gu"))]
    .filter(({ index, 0: found }) => !isLink && isPlaceholder(found, text, index))
    .map(({ index }) => index);
}
