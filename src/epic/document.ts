import template from "../prompts/templates/epic.md";
import { clean, fill, oneLine } from "../text/template.ts";
import type { Epic, EpicSpec } from "./model.ts";

/** The epic's document as it is first written. */
export const renderEpicDocument = (epic: Epic): string =>
  replaceSpecTable(
    fill(template, { name: oneLine(epic.name), goal: escapeComments(clean(epic.goal).trim()) }),
    epic,
  );

const BEGIN = /<!-- specs:begin[^\r\n<]*-->\r?\n/;
const END = "<!-- specs:end -->";

/**
 * Rewrites the table between its two marks. A document without the marks belongs to somebody else and stays as it is.
 */
export function replaceSpecTable(text: string, epic: Epic): string {
  const begin = BEGIN.exec(text);
  if (begin === null) return text;
  const start = begin.index + begin[0].length;
  const foot = text.indexOf(END, start);
  if (foot === -1) return text;
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const table = renderTable(epic.specs).map((line) => `${line}${end}`);
  return text.slice(0, start) + table.join("") + text.slice(foot);
}

const renderTable = (specs: readonly EpicSpec[]): string[] => [
  "| Spec | Goal | Size | Depends on |",
  "|---|---|---|---|",
  ...specs.map(({ name, goal = "", size = "", dependencies }) => {
    const cells = [name, goal, size, dependencies.join(", ")].map(formatCell);
    return `| ${cells.join(" | ")} |`;
  }),
];

const formatCell = (text: string): string =>
  escapeComments(oneLine(text, 500)).replace(/[\\|]/g, "\\$&");

/** A goal that contains one of our marks must not open or close the table. */
const escapeComments = (text: string): string => text.replaceAll("<!--", "&lt;!--");
