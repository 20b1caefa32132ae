import { keepStart } from "../text/cut.ts";
import { readMarkdown } from "../text/markdown.ts";
import { linesBelow } from "../text/sections.ts";

const MAX_GOAL = 400;
const HEADING = /^##?\s+(?:Original\s+)?Goal\s*$/i;

/** What a spec is for, word for word: everything after `## Original Goal` in its progress notes. */
export const parseGoal = (progress: string): string =>
  linesBelow(progress, (line) => HEADING.test(line))
    .join("\n")
    .trim();

/** The first paragraph of a document, or of a section that it has, on one line: no headings, tables, comments, code. */
export function firstParagraph(text: string, section?: string): string | undefined {
  const said: string[] = [];
  const lines = readMarkdown(text);
  const from = lines.findIndex((line) => line.kind === "heading" && line.text === section);
  for (const { kind, text: own, isItem } of lines.slice(from + 1)) {
    // From the first box on it says what to do, not what for.
    if (isItem && /^\[[ xX]\]/.test(own)) break;
    if (kind === "text" && !own.startsWith("|")) said.push(own.replace(/^>\s?/, ""));
    else if (said.length > 0) break;
  }
  const goal = said.join(" ").replace(/\s+/g, " ").trim();
  if (goal === "") return undefined;
  return keepStart(goal, MAX_GOAL);
}
