import type { Evidence } from "../run/claim/evidence.ts";
import { type History, judgeRow } from "../run/claim/receipt-check.ts";
import type { ReceiptRow } from "../run/claim/receipt-table.ts";
import { hasVerdict, planReceipt } from "../run/claim/receipt.ts";
import type { Entry } from "../run/journal.ts";
import type { Settings } from "../run/settings.ts";
import { fieldOf } from "../tasks/fields.ts";
import type { Task, TaskList } from "../tasks/model.ts";
import { isRed, isVerifyTask } from "../tasks/tags.ts";
import { parseVerify } from "../tasks/verify/verify.ts";
import {
  checkCoverage,
  type CoverageDiagnostic,
  type CoveredRequirement,
  planCoverage,
} from "./coverage.ts";
import { showId } from "./requirement-ids.ts";
import { checkStandings, planStandings, type RequirementStanding } from "./requirement-standing.ts";
import type { Requirement } from "./requirements.ts";
import { caveatOn, checkEvidence, standingOf, type TaskStanding } from "./task-standing.ts";

/** From each requirement to the tasks that meet it, and from each task to what proves it. */
export interface Trace {
  readonly requirements: readonly RequirementTrace[];
  readonly tasks: readonly TaskTrace[];
  readonly problems: readonly TraceProblem[];
  /** Tasks whose receipt names a commit that cannot be checked here. */
  readonly unchecked: readonly string[];
}

export interface RequirementTrace extends Pick<Requirement, "id" | "written" | "title" | "line"> {
  /** Whether it needs a task. */
  readonly required: boolean;
  readonly standing: RequirementStanding;
  /** Ids of its tasks. */
  readonly tasks: readonly string[];
  /** Ids of the [VERIFY] tasks that check these. */
  readonly checks: readonly string[];
}

export interface TaskTrace extends Pick<Task, "id" | "title" | "line"> {
  /** `red` proves nothing; `check` is a [VERIFY] task. */
  readonly role: "work" | "red" | "check";
  readonly standing: TaskStanding;
  readonly commit: string | null;
  readonly evidence: readonly Pick<Evidence, "command" | "outcome">[];
  /** Why there is no evidence. */
  readonly note: string | null;
  /** What weakens the evidence. */
  readonly caveat: string | null;
  /** The requirements it meets, as their document writes them. */
  readonly requirements: readonly string[];
}

export interface TraceProblem extends CoverageDiagnostic {
  readonly target: string;
}

export interface TraceSources {
  readonly list: TaskList;
  readonly requirements: readonly Requirement[];
  readonly entries: readonly Entry[];
  /** What an earlier run left in `.progress.md`. */
  readonly receipt: readonly ReceiptRow[];
  /** What git knows about the commits in the receipt. */
  readonly history: History;
  readonly settings: Settings;
  /** The spec and the two files, as shown to the user. */
  readonly paths: Readonly<Record<"spec" | "requirements" | "tasks", string>>;
}

export function planTrace(sources: TraceSources): Trace {
  const { list, requirements, entries, receipt, paths } = sources;
  const coverage = planCoverage(requirements, list);
  const rows = selectRows(list, entries, receipt);
  const lines = planReceipt(list, entries);
  const verdicts = list.tasks.map((task) => {
    const row = rows.get(task.id);
    return row && judgeRow(row, list, task, sources.settings, sources.history);
  });
  const records = list.tasks.map((task, i): Known => {
    const doubt = verdicts[i]?.doubt;
    const known = rows.get(task.id) ?? (lines[i] as ReceiptRow);
    return doubt === undefined ? known : makeEmptyRow(doubt);
  });
  const doubts = list.tasks.map((task) => doubtIn(list, task));
  const standings = records.map((record, i) =>
    verdicts[i]?.doubt === undefined ? standingOf(record, doubts[i]) : "unproven",
  );
  const met = metBy(coverage.requirements);
  const tasks = list.tasks.map((task, i): TaskTrace => {
    const { commit, evidence, note } = records[i] as Known;
    return {
      id: task.id,
      title: task.title,
      line: task.line,
      role: isVerifyTask(task) ? "check" : isRed(task) ? "red" : "work",
      standing: standings[i] as TaskStanding,
      commit,
      evidence: evidence.map(({ command, outcome }) => ({ command, outcome })),
      // With evidence, the note says the same in words.
      note: evidence.length > 0 ? null : note,
      caveat: caveatOn(records[i] as Known, doubts[i]),
      requirements: met.get(task) ?? [],
    };
  });
  const proof = planStandings(coverage.requirements, (i) => standings[i] as TaskStanding);
  const problems = [
    ...checkCoverage(coverage),
    ...checkStandings(coverage.requirements, proof),
    ...list.tasks.flatMap((task, i) =>
      checkEvidence(task, standings[i] as TaskStanding, records[i] as Known, verdicts[i]?.doubt),
    ),
  ];
  return {
    requirements: coverage.requirements.map(({ requirement, tasks: own, checks, isRequired }) => ({
      id: requirement.id,
      written: requirement.written,
      title: requirement.title,
      line: requirement.line,
      required: isRequired,
      standing: proof.get(requirement.id) ?? null,
      tasks: own.map(({ id }) => id),
      checks: checks.map(({ id }) => id),
    })),
    tasks,
    problems: problems.map(({ part, ...one }) => {
      const path = part === undefined ? paths[one.file] : `${paths.spec}/${part}`;
      return { ...one, target: `${path}:${one.line}` };
    }),
    unchecked: tasks.filter((_, i) => verdicts[i]?.isUnchecked).map(({ id }) => id),
  };
}

/** By task, the requirements it meets, as their document writes them. */
function metBy(requirements: readonly CoveredRequirement[]): ReadonlyMap<Task, readonly string[]> {
  const met = new Map<Task, string[]>();
  for (const { requirement, tasks } of requirements)
    for (const task of tasks) {
      const own = met.get(task);
      if (own === undefined) met.set(task, [showId(requirement.written)]);
      else own.push(showId(requirement.written));
    }
  return met;
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

type Known = Omit<ReceiptRow, "id">;

/** Its claim is not repeated: it does not belong in a table of evidence. */
const makeEmptyRow = (note: string): Known => ({
  done: true,
  evidence: [],
  before: [],
  commit: null,
  tree: null,
  note,
});

/** Why nothing that the Verify of a task runs could prove it; undefined if some of it could. */
function doubtIn(list: TaskList, task: Task): string | undefined {
  const { checks } = parseVerify(fieldOf(list, task, "verify") ?? "");
  return checks.some(({ doubt }) => doubt === undefined) ? undefined : checks[0]?.doubt?.why;
}
