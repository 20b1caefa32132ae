import type { LineDiagnostic } from "../text/diagnostic.ts";
import { oneLine } from "../text/template.ts";

interface Mark {
  readonly pattern: RegExp;
  readonly code: "needs-clarification" | "unresolved";
  readonly fix: string;
}

const DECIDE = "Make the decision and write it down, or ask the user.";

/** What writers leave for later, in any document. */
const MARKS: readonly Mark[] = [
  // A list of todos may be what the document is about: "the TODO app", "no TODO comments".
  {
    pattern:
      /(?<![\w/.#-])(?:TODO|FIXME)(?![\w/-])(?!\.\w)(?!\s+(?:apps?|applications?|lists?|items?|entr(?:y|ies)|comments?|markers?|marks?|tasks?|boards?|services?|api)\b)/g,
    code: "unresolved",
    fix: "Do it, or list it under the open questions in words.",
  },
  { pattern: /(?<![\w/.#-])TBD(?![\w/-])(?!\.\w)/g, code: "unresolved", fix: DECIDE },
  { pattern: /(?<![\w?])\?{3,}(?![\w?])/g, code: "unresolved", fix: DECIDE },
  {
    pattern: /\[NEEDS CLARIFICATION\b[^\]\n]*\]?/gi,
    code: "needs-clarification",
    fix: "Ask the user, or decide and note the assumption.",
  },
  {
    // `${{ … }}` belongs to CI files.
    pattern: /(?<![\\$])\{\{[^{}\n]{1,80}\}\}/g,
    code: "unresolved",
    fix: "Replace it with the value.",
  },
];

const ADDRESS = /\bhttps?:\/\/\S+|\]\([^()\s]*\)/g;

/** `text` is without code and comments. One finding per line and mark: whoever fixes one sees the next. */
export function findUnresolved(text: string): LineDiagnostic[] {
  return text.split("\n").flatMap((line, i) => {
    const said = line.replace(ADDRESS, " ");
    return MARKS.flatMap(({ pattern, code, fix }) => {
      const [mark] = said.match(pattern) ?? [];
      if (mark === undefined) return [];
      const message = `${oneLine(mark, 60)} is still open.`;
      return [{ severity: "error", code, message, fix, line: i + 1 } as const];
    });
  });
}
