import { MARKS, WAITS } from "../../facts/marks.ts";
import { formatCost, formatTime } from "../../run/cost.ts";
import type { TaskReport } from "../../runner/report.ts";
import { oneLine } from "../../text/template.ts";
import { renderColumns, widthOf } from "../cli/columns.ts";
import type { Paint } from "../cli/paint.ts";

/** By importance: where there is no room, the last ones are left out. */
const COLUMNS = ["", "task", "class", "attempts", "cost", "commit", "time", "agent"];
const KEPT = 3;
/** A title narrower than this says nothing. */
const MIN_TITLE = 24;

/** The tasks, with what is known about each. */
export function tableOf(tasks: readonly TaskReport[], style: Paint, width: number): string[] {
  const many = new Set(tasks.map(({ spec }) => spec)).size > 1;
  const isOne = new Set(tasks.flatMap(({ agents }) => agents)).size < 2;
  const cells = tasks.map((task) => cellsOf(task, many).slice(0, isOne ? -1 : undefined));
  const used = COLUMNS.map((_, i) => i).filter((i) => cells.some((row) => (row[i] ?? "") !== ""));
  const rows = [COLUMNS, ...cells].map((row) => used.map((i) => row[i] ?? ""));
  let [room, count] = [width + 2, 0];
  for (const i of used.keys()) {
    const own = Math.max(...rows.map((row) => widthOf(row[i] ?? "")));
    room -= 2 + (used[i] === 1 ? Math.min(own, MIN_TITLE) : own);
    if (room >= 0 || i < KEPT) count = i + 1;
    else break;
  }
  const shown = rows.map((row) => row.slice(0, count));
  return tasks.length === 0
    ? []
    : renderColumns(shown, width).map((row, i) => (i === 0 ? style.dim(row) : tint(row, style)));
}

const cellsOf = (task: TaskReport, many: boolean): string[] => {
  const waits = task.state === "waits" && task.class === "open";
  return [
    waits ? WAITS : MARKS[task.class],
    `${many ? `${task.spec} ` : ""}${task.id} ${oneLine(task.title, 80)}`,
    waits ? "waits" : task.class,
    task.attempts === 0 ? "" : String(task.attempts),
    formatCost(task),
    task.commit?.slice(0, 9) ?? "",
    OTHERS[task.done ?? "now"] ?? (task.ms === 0 ? "" : formatTime(task.ms)),
    task.agents.join(", "),
  ];
};

/** Shown in place of the time if another run did the task. */
const OTHERS: Readonly<Partial<Record<string, string>>> = { before: "earlier", since: "later" };

function tint(row: string, { good, dim, warn }: Paint): string {
  if (row.startsWith("✓")) return good("✓") + row.slice(1);
  if (row.startsWith("~")) return warn("~") + row.slice(1);
  return row.startsWith("·") ? dim(row) : warn(row);
}
