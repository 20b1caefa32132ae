import type { LineDiagnostic } from "../text/diagnostic.ts";
import { readMarkdown, renderShown } from "../text/markdown.ts";
import { oneLine } from "../text/template.ts";

/** A question that the writer of a document left in its text for the user. */
export interface Clarification {
  readonly text: string;
  readonly line: number;
}

const CLARIFICATION = /\[NEEDS CLARIFICATION\b[^\]\n]*\]?/gi;

/** The questions of a document, from top to bottom; code and comments ask nothing. */
export const readClarifications = (document: string): Clarification[] =>
  renderShown(readMarkdown(document))
    .split("\n")
    .flatMap((line, i) =>
      (line.match(CLARIFICATION) ?? []).map((mark) => ({ text: questionIn(mark), line: i + 1 })),
    );

const questionIn = (mark: string): string =>
  oneLine(mark.replace(/^\[NEEDS CLARIFICATION[:\s]*/i, "").replace(/\]$/, ""), 200) ||
  "what it leaves open";

const DECIDE = "Make the decision and write it down, or ask the user.";

/** What writers leave for later, in any document, and what to do about it. */
const MARKS: readonly (readonly [pattern: RegExp, fix: string])[] = [
  // A list of todos may be what the document is about: "the TODO app", "no TODO comments".
  [
    /(?<![\w/.#-])(?:TODO|FIXME)(?![\w/-])(?!\.\w)(?!\s+(?:apps?|applications?|lists?|items?|entr(?:y|ies)|comments?|markers?|marks?|tasks?|boards?|services?|api)\b)/g,
    "Do it, or list it under the open questions in words.",
  ],
  [/(?<![\w/.#-])TBD(?![\w/-])(?!\.\w)/g, DECIDE],
  [/(?<![\w?])\?{3,}(?![\w?])/g, DECIDE],
  // As Spec Kit's plan marks what it does not know, without brackets.
  [/NEEDS CLARIFICATION\b(?<=:\**\s+NEEDS CLARIFICATION)/g, DECIDE],
  // `${{ … }}` belongs to CI files.
  [/(?<![\\$])\{\{[^{}\n]{1,80}\}\}/g, "Replace it with the value."],
];

const ADDRESS = /\bhttps?:\/\/\S+|\]\([^()\s]*\)/g;

/** `text` is without code and comments. One finding per line and mark: whoever fixes one sees the next. */
export function findUnresolved(text: string, questions = 0): LineDiagnostic[] {
  let asked = 0;
  return text.split("\n").flatMap((line, i) => {
    const said = line.replace(ADDRESS, " ");
    const found = MARKS.flatMap(([pattern, fix]): LineDiagnostic[] => {
      const [mark] = said.match(pattern) ?? [];
      if (mark === undefined) return [];
      const message = `${oneLine(mark, 60)} is still open.`;
      return [{ severity: "error", code: "unresolved", message, fix, line: i + 1 }];
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
