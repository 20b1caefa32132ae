import type { RequirementTrace, TaskTrace, Trace } from "../../spec/trace.ts";
import { oneLine } from "../../text/template.ts";
import type { Paint } from "./paint.ts";

/** A terminal of 100 columns: three gaps of two, and the rest for the evidence. */
const WIDTH = { requirement: 31, task: 31, commit: 9, evidence: 23 } as const;

type Cells = Readonly<Record<keyof typeof WIDTH, string>>;

/** One line for each task of a requirement; tasks without one come last. */
export function renderTraceTable({ requirements, tasks }: Trace, style: Paint): string {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const rows = requirements.flatMap((requirement) => requirementRows(requirement, byId));
  const loose = tasks
    .filter((task) => task.requirements.length === 0)
    .map((task, i) => ({ ...taskCells(task), requirement: i === 0 ? "(no requirement)" : "" }));
  const head = { requirement: "requirement", task: "task", commit: "commit", evidence: "evidence" };
  return [
    style.dim(format(head)),
    ...[...rows, ...loose].map((cells) => colour(format(cells), cells, style)),
  ].join("\n");
}

function requirementRows(
  { id, title, required, tasks }: RequirementTrace,
  byId: ReadonlyMap<string, TaskTrace>,
): Cells[] {
  const requirement = `${id} ${title}`;
  if (tasks.length === 0) {
    const task = required ? "✗ no task" : "- needs no task";
    return [{ requirement, task, commit: "", evidence: "" }];
  }
  return tasks.map((task, i) => ({
    ...taskCells(byId.get(task) as TaskTrace),
    requirement: i === 0 ? requirement : "",
  }));
}

const MARKS = { open: "·", proven: "✓", reported: "✓", unproven: "✗", failed: "✗" } as const;

const taskCells = ({ id, title, standing, commit, evidence, note }: TaskTrace): Cells => ({
  requirement: "",
  task: `${MARKS[standing]} ${id} ${title}`,
  commit: commit?.slice(0, WIDTH.commit) ?? "",
  evidence:
    evidence.map(({ command, outcome }) => `${outcome} ${command}`).join(", ") || (note ?? ""),
});

const format = ({ requirement, task, commit, evidence }: Cells): string =>
  [
    fit(requirement, WIDTH.requirement),
    fit(task, WIDTH.task),
    fit(commit, WIDTH.commit),
    oneLine(evidence, WIDTH.evidence),
  ]
    .join("  ")
    .trimEnd();

const fit = (text: string, width: number): string => oneLine(text, width).padEnd(width);

function colour(line: string, { task }: Cells, { bad, dim }: Paint): string {
  if (task.startsWith("✗")) return bad(line);
  return task.startsWith("-") ? dim(line) : line;
}
