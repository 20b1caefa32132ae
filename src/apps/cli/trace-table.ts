import { MARKS } from "../../facts/marks.ts";
import { listWeaknesses } from "../../facts/summary.ts";
import { showId } from "../../spec/requirement-ids.ts";
import type { RequirementTrace, TaskTrace, Trace } from "../../spec/trace.ts";
import { showCommand } from "../../text/template.ts";
import { renderColumns } from "./columns.ts";
import type { Paint } from "./paint.ts";

const COLUMNS = ["requirement", "task", "commit", "evidence"] as const;

type Cells = Readonly<Record<(typeof COLUMNS)[number], string>>;

/** One line for each task of a requirement; tasks without one come last, then checks of everything. */
export function renderTraceTable(
  { requirements, tasks }: Trace,
  style: Paint,
  width: number | undefined,
): string {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const rows = requirements.flatMap((requirement) => requirementRows(requirement, byId));
  const loose = tasks.filter((task) => task.requirements.length === 0);
  const checks = loose.filter(({ role }) => role === "check");
  const others = loose.filter(({ role }) => role !== "check");
  const all = [...rows, ...rowsOf("(no requirement)", others), ...rowsOf("(checks)", checks)];
  const cells = all.map((row) => COLUMNS.map((name) => row[name]));
  const [title = "", ...lines] = renderColumns([COLUMNS, ...cells], width);
  return [
    style.dim(title),
    ...all.map((row, i) => colour(lines[i] as string, row, style)),
    ...listWeaknesses(tasks).map(style.warn),
  ].join("\n");
}

const rowsOf = (requirement: string, tasks: readonly TaskTrace[], isMet = false): Cells[] =>
  tasks.map((task, i) => ({ ...taskCells(task, isMet), requirement: i === 0 ? requirement : "" }));

const STANDINGS = { ...MARKS, unproven: "✗" } as const;

function requirementRows(
  { written, title, required, standing, tasks, checks }: RequirementTrace,
  byId: ReadonlyMap<string, TaskTrace>,
): Cells[] {
  const requirement = `${standing === null ? "-" : STANDINGS[standing]} ${showId(written)} ${title}`;
  if (tasks.length === 0) {
    const task = required ? "✗ no task" : "- no task names it";
    return [{ requirement, task, commit: "", evidence: "" }];
  }
  const named = tasks.map((id) => byId.get(id) as TaskTrace);
  // What checks its tasks is shown where these alone do not prove it.
  const isEnough = named.some((task) => task.role !== "red" && ENOUGH.has(task.class));
  const others = isEnough ? [] : checks.map((id) => byId.get(id) as TaskTrace);
  return rowsOf(requirement, [...named, ...others], ENOUGH.has(standing ?? ""));
}

const ENOUGH: ReadonlySet<string> = new Set(["proven", "checked", "accepted"]);

/** `isMet`: what a [RED] task tests is there by now. */
function taskCells(
  { id, title, role, class: is, commit, evidence, note }: TaskTrace,
  isMet: boolean,
): Cells {
  const ran = evidence
    .map(({ command, outcome }) => `${outcome} ${showCommand(command)}`)
    .join(", ");
  // That a test fails is no evidence of what it tests.
  const isRed = role === "red" && (is === "checked" || is === "reported");
  return {
    requirement: "",
    task: `${isRed ? "-" : MARKS[is]} ${id} ${role === "red" ? "[RED] " : ""}${title}`,
    commit: commit?.slice(0, 9) ?? "",
    evidence: `${is}${isRed ? `: the test ${isMet ? "failed before the work" : "still has to pass"}` : ran === "" ? (note === null ? "" : `: ${note}`) : `: ${ran}`}`,
  };
}

function colour(line: string, { task }: Cells, { bad, dim }: Paint): string {
  if (task.startsWith("✗")) return bad(line);
  return task.startsWith("-") ? dim(line) : line;
}
