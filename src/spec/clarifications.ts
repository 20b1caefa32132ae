import { readMarkdown, renderShown } from "../text/markdown.ts";
import { oneLine } from "../text/template.ts";

/** A question that the writer of a document left in its text for the user. */
export interface Clarification {
  readonly text: string;
  readonly line: number;
}

export const CLARIFICATION = /\[NEEDS CLARIFICATION\b[^\]\n]*\]?/gi;

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
