import type { LineDiagnostic } from "../text/diagnostic.ts";
import { oneLine } from "../text/template.ts";
import { CLARIFICATION } from "./clarifications.ts";

interface Mark {
  readonly pattern: RegExp;
  readonly code: "unresolved";
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
  // As Spec Kit's plan marks what it does not know, without brackets.
  {
    pattern: /NEEDS CLARIFICATION\b(?<=:\**\s+NEEDS CLARIFICATION)/g,
    code: "unresolved",
    fix: DECIDE,
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
export function findUnresolved(text: string, questions = 0): LineDiagnostic[] {
  let asked = 0;
  return text.split("\n").flatMap((line, i) => {
    const said = line.replace(ADDRESS, " ");
    const found = MARKS.flatMap(({ pattern, code, fix }): LineDiagnostic[] => {
      const [mark] = said.match(pattern) ?? [];
      if (mark === undefined) return [];
      const message = `${oneLine(mark, 60)} is still open.`;
      return [{ severity: "error", code, message, fix, line: i + 1 }];
    });
    const asks: readonly string[] = line.match(CLARIFICATION) ?? [];
    const more = asks.slice(Math.max(0, questions - asked));
    asked += asks.length;
    return [...found, ...more.slice(0, 1).map((mark) => reportQuestion(mark, questions, i + 1))];
  });
}

const reportQuestion = (mark: string, questions: number, line: number): LineDiagnostic => ({
  severity: "error",
  code: "needs-clarification",
  message:
    questions === 0
      ? `${oneLine(mark, 60)} is still open.`
      : `${oneLine(mark, 60)} is one too many: at most ${questions} questions may stay for the user.`,
  fix:
    questions === 0
      ? "Ask the user, or decide and note the assumption."
      : "Keep those that change the scope most; decide the others and note each assumption.",
  line,
});
