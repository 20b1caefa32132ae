import type { TaskList } from "../tasks/types.ts";
import { checkCoverage, type CoverageDiagnostic, planCoverage } from "./coverage.ts";
import type { Evidence } from "./evidence.ts";
import type { Entry } from "./journal.ts";
import { BY_HAND, hasVerdict, planReceipt, type ReceiptRow } from "./receipt.ts";
import { parseRequirements } from "./requirements.ts";

/** From each requirement to the tasks that meet it, and from each task to what proves it. */
export interface Trace {
  readonly requirements: readonly RequirementTrace[];
  readonly tasks: readonly TaskTrace[];
  readonly problems: readonly TraceProblem[];
}

export interface RequirementTrace {
  readonly id: string;
  readonly title: string;
  readonly line: number;
  /** Whether it must have a task. */
  readonly required: boolean;
  /** Ids of its tasks. */
  readonly tasks: readonly string[];
}

export interface TaskTrace {
  readonly id: string;
  readonly title: string;
  readonly line: number;
  /**
   * `proven`: its Verify passed. `reported`: it was reported and found done, but there was nothing to run, as `note`
   * says. `unproven`: its box is ticked and that is all. `failed`: its Verify did not pass, and it was ticked anyway.
   */
  readonly standing: "open" | "proven" | "reported" | "unproven" | "failed";
  readonly commit: string | null;
  readonly evidence: readonly Pick<Evidence, "command" | "outcome">[];
  /** Why there is no evidence. */
  readonly note: string | null;
  /** Ids of the requirements that it meets. */
  readonly requirements: readonly string[];
}

export interface TraceProblem extends CoverageDiagnostic {
  readonly target: string;
}

export interface TraceSources {
  readonly list: TaskList;
  /** The text of the requirements document; undefined where there is none. */
  readonly requirements: string | undefined;
  readonly entries: readonly Entry[];
  /** What an earlier run left in `.progress.md`. */
  readonly receipt: readonly ReceiptRow[];
  /** The two files, as a reader finds them. */
  readonly paths: Readonly<Record<"requirements" | "tasks", string>>;
}

export function planTrace({ list, requirements, entries, receipt, paths }: TraceSources): Trace {
  const coverage = planCoverage(parseRequirements(requirements ?? ""), list);
  const records = readRecords(list, entries, receipt);
  const tasks = list.tasks.map((task, i): TaskTrace => {
    const record = records[i] as ReceiptRow;
    return {
      id: task.id,
      title: task.title,
      line: task.line,
      standing: standingOf(record),
      commit: record.commit,
      evidence: record.evidence.map(({ command, outcome }) => ({ command, outcome })),
      // With evidence, the note says the same in words.
      note: record.evidence.length > 0 ? null : record.note,
      requirements: coverage.requirements
        .filter((covered) => covered.tasks.includes(task))
        .map(({ requirement }) => requirement.id),
    };
  });
  const problems = [...checkCoverage(coverage), ...tasks.flatMap(checkEvidence)];
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
  };
}

/** The journal's word on each task; where it says nothing of one, that of the receipt. */
function readRecords(
  list: TaskList,
  entries: readonly Entry[],
  receipt: readonly ReceiptRow[],
): ReceiptRow[] {
  const kept = new Map(receipt.map((row) => [row.id, row]));
  return planReceipt(list, entries).map((line) => {
    const row = kept.get(line.id);
    const counts = line.done && row?.done === true && !hasVerdict(entries, line.id);
    return counts ? row : line;
  });
}

function standingOf({ done, evidence, note }: ReceiptRow): TaskTrace["standing"] {
  if (!done) return "open";
  if (evidence.length === 0) return note === BY_HAND ? "unproven" : "reported";
  return evidence.every(({ outcome }) => outcome === "passed") ? "proven" : "failed";
}

function checkEvidence({ id, line, standing, evidence }: TaskTrace): CoverageDiagnostic[] {
  if (standing !== "unproven" && standing !== "failed") return [];
  const failed = evidence.find(({ outcome }) => outcome !== "passed");
  return [
    {
      severity: "error",
      code: "no-evidence",
      message:
        failed === undefined
          ? `${id} is ticked, but nothing proves it.`
          : `${id} is ticked, but its Verify \`${failed.command}\` ${failed.outcome}.`,
      fix: "Clear its box and let it be done again, so that its Verify is run and recorded.",
      file: "tasks",
      line,
    },
  ];
}
