import { costLines, refusalLines, STATUS, taskCells, totals } from "../../runner/render-report.ts";
import type { Report } from "../../runner/report.ts";
import { renderColumns } from "../cli/columns.ts";
import type { Paint } from "../cli/paint.ts";

/** The morning report for a terminal: what to do comes last, where the eye is. */
export function reportLines(report: Report, style: Paint, width: number | undefined): string {
  const { bold, good, bad, warn, dim, accent } = style;
  const { tasks, status } = report;
  const many = report.specs.length > 1;
  const tint = status === "finished" ? good : status === null || status === "unproven" ? warn : bad;
  const state = tint(status === null ? "not ended" : STATUS[status]);
  const rows = renderColumns(
    tasks.map((task) => {
      const [title = "", done = "", ...rest] = taskCells(task, many);
      return [done === "waits" ? "?" : done, title, ...rest];
    }),
    width,
  );
  const block = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : ["", bold(title), ...lines];
  return [
    `${bold(report.run)}  ${state}`,
    totals(report),
    ...(rows.length === 0 ? [] : ["", ...rows.map((row) => colourRow(row, style))]),
    ...block(
      "Setbacks",
      refusalLines(tasks, many).map((line) => line.replace(/^- /, bad("✗ "))),
    ),
    ...block(
      "Assumed for you",
      report.assumptions.map((text) => `· ${text}`),
    ),
    ...block(
      "Cost",
      costLines(report).map((line) => dim(line.replace(/^- /, "· "))),
    ),
    ...block(
      "Waits for you",
      report.waiting.flatMap(({ what, todo }) => [`${warn("?")} ${what}`, `  ${accent(todo)}`]),
    ),
  ].join("\n");
}

const colourRow = (row: string, { good, dim, warn }: Paint): string => {
  if (row.startsWith("✓")) return good("✓") + row.slice(1);
  if (row.startsWith("~")) return warn("~") + row.slice(1);
  return row.startsWith("·") ? dim(row) : warn(row);
};
