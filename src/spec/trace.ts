import type { Evidence } from "../run/claim/evidence.ts";
import { type History, judgeRow } from "../run/claim/receipt-check.ts";
import { type ReceiptRow } from "../run/claim/receipt-table.ts";
import { BY_HAND, hasVerdict, planReceipt } from "../run/claim/receipt.ts";
import type { Entry } from "../run/journal.ts";
import type { Settings } from "../run/settings.ts";
import type { Task, TaskList } from "../tasks/model.ts";
import { checkCoverage, type CoverageDiagnostic, planCoverage } from "./coverage.ts";
import { parseRequirements, type Requirement } from "./requirements.ts";

/** From each requirement to the tasks that meet it, and from each task to what proves it. */
export interface Trace {
  readonly requirements: readonly RequirementTrace[];
  readonly tasks: readonly TaskTrace[];
  readonly problems: readonly TraceProblem[];
  /** Tasks whose receipt names a commit that cannot be checked here. */
  readonly unchecked: readonly string[];
}

export interface RequirementTrace extends Pick<Requirement, "id" | "title" | "line"> {
  /** Whether it needs a task. */
  readonly required: boolean;
  /** Ids of its tasks. */
  readonly tasks: readonly string[];
}

export interface TaskTrace extends Pick<Task, "id" | "title" | "line"> {
  /**
   * `proven`: its Verify passed. `reported`: accepted as done, but there was nothing to run, as `note` says. `unproven`:
   * only its box is ticked, or its receipt cannot be true, as `note` says. `failed`: ticked although its Verify failed.
   */
  readonly standing: "open" | "proven" | "reported" | "unproven" | "failed";
  readonly commit: string | null;
  readonly evidence: readonly Pick<Evidence, "command" | "outcome">[];
  /** Why there is no evidence. */
  readonly note: string | null;
  /** Ids of the requirements it meets. */
  readonly requirements: readonly string[];
}

export interface TraceProblem extends CoverageDiagnostic {
  readonly target: string;
}

export interface TraceSources {
  readonly list: TaskList;
  /** The text of the requirements document; undefined if there is none. */
  readonly requirements: string | undefined;
  readonly entries: readonly Entry[];
  /** What an earlier run left in `.progress.md`. */
  readonly receipt: readonly ReceiptRow[];
  /** What git knows about the commits in the receipt. */
  readonly history: History;
  readonly settings: Settings;
  /** The two files, as shown to the user. */
  readonly paths: Readonly<Record<"requirements" | "tasks", string>>;
}

export function planTrace(sources: TraceSources): Trace {
  const { list, requirements, entries, receipt, paths } = sources;
  const coverage = planCoverage(parseRequirements(requirements ?? ""), list);
  const rows = selectRows(list, entries, receipt);
  const lines = planReceipt(list, entries);
  const verdicts = list.tasks.map((task) => {
    const row = rows.get(task.id);
    return row && judgeRow(row, list, task, sources.settings, sources.history);
  });
  const tasks = list.tasks.map((task, i): TaskTrace => {
    const doubt = verdicts[i]?.doubt;
    const known = rows.get(task.id) ?? (lines[i] as ReceiptRow);
    const record = doubt === undefined ? known : makeEmptyRow(task, doubt);
    return {
      id: task.id,
      title: task.title,
      line: task.line,
      standing: doubt === undefined ? standingOf(record) : "unproven",
      commit: record.commit,
      evidence: record.evidence.map(({ command, outcome }) => ({ command, outcome })),
      // With evidence, the note says the same in words.
      note: record.evidence.length > 0 ? null : record.note,
      requirements: coverage.requirements
        .filter((covered) => covered.tasks.includes(task))
        .map(({ requirement }) => requirement.id),
    };
  });
  const problems = [
    ...checkCoverage(coverage),
    ...tasks.flatMap((task, i) => checkEvidence(task, verdicts[i]?.doubt)),
  ];
  return {
    requirements: coverage.requirements.map(({ requirement, tasks: own, isRequired }) => ({
      id: requirement.id,
      title: requirement.title,
      line: requirement.line,
      required: isRequired,
      tasks: own.map(({ id }) => id),
    })),
    tasks,
    problems: problems.map((one) => ({ ...one, target: `${paths[one.file]}:${one.line}` })),
    unchecked: tasks.filter((_, i) => verdicts[i]?.isUnchecked).map(({ id }) => id),
  };
}

/** The journal decides about each task; if it says nothing, the receipt does. */
export function selectRows(
  list: TaskList,
  entries: readonly Entry[],
  receipt: readonly ReceiptRow[],
): ReadonlyMap<string, ReceiptRow> {
  const ticked = new Set(list.tasks.filter(({ checked }) => checked).map(({ id }) => id));
  const rows = receipt.filter(({ id, done }) => done && ticked.has(id) && !hasVerdict(entries, id));
  return new Map(rows.map((row) => [row.id, row]));
}

/** Its claim is not repeated: it does not belong in a table of evidence. */
const makeEmptyRow = ({ id }: Task, note: string): ReceiptRow => ({
  id,
  done: true,
  evidence: [],
  before: [],
  commit: null,
  tree: null,
  note,
});

function standingOf({ done, evidence, note }: ReceiptRow): TaskTrace["standing"] {
  if (!done) return "open";
  if (evidence.length === 0) return note === BY_HAND ? "unproven" : "reported";
  return evidence.every(({ outcome }) => outcome === "passed") ? "proven" : "failed";
}

function checkEvidence(
  { id, line, standing, evidence }: TaskTrace,
  doubt: string | undefined,
): CoverageDiagnostic[] {
  if (standing !== "unproven" && standing !== "failed") return [];
  const failed = evidence.find(({ outcome }) => outcome !== "passed");
  return [
    {
      severity: "error",
      code: "no-evidence",
      message:
        failed === undefined
          ? `${id} is ticked, but ${doubt ?? "nothing proves it"}.`
          : `${id} is ticked, but its Verify \`${failed.command}\` ${failed.outcome}.`,
      fix: "Clear its box and run it again, so that its Verify is run and recorded.",
      file: "tasks",
      line,
    },
  ];
}
