import { describeClasses } from "../facts/classify.ts";
import { renderPage } from "../facts/page.ts";
import { RECEIPT, renderReceipt } from "../facts/receipt-table.ts";
import { formatReceipt, RECEIPT_FILE } from "../facts/receipt.ts";
import type { SpecFacts } from "../facts/spec-facts.ts";
import { planSummary, SUMMARY, type Summary } from "../facts/summary.ts";
import { readRunWork } from "../git/run-work.ts";
import { formatCosts } from "../run/cost.ts";
import type { State } from "../run/state.ts";
import { firstParagraph } from "../spec/goal.ts";
import { pointSettler } from "../spec/settled-points.ts";
import { readDocument, readGoal, readRequirements } from "../store/documents.ts";
import { writeProgressSection, writeReceiptFile } from "../store/progress.ts";
import { readAllEntries } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import type { Task, TaskList } from "../tasks/model.ts";
import { findNotes } from "../text/sections.ts";
import { commitFinished } from "./document-commit.ts";
import { readSpecFacts } from "./read-facts.ts";
import type { Run } from "./with-run.ts";

/** What came of a spec, so far or in the end. */
export function readSummary(spec: Spec, list: TaskList): Summary {
  const entries = readAllEntries(spec);
  const facts = readSpecFacts(spec, list);
  const settled = new Set(
    facts.tasks
      .filter((task) => ["proven", "checked", "accepted"].includes(task.class))
      .map(({ id }) => id),
  );
  const isDone = ({ id, checked }: Task): boolean => checked && settled.has(id);
  return planSummary({
    list,
    entries,
    facts,
    goal: firstParagraph(readGoal(spec)),
    isSettled: pointSettler(list, readRequirements(spec).requirements, isDone),
    progress: readProgress(spec),
    work: readRunWork(spec, entries),
  });
}

function readProgress(spec: Spec): string {
  const file = readDocument(spec, ".progress.md");
  return file.kind === "ok" ? file.text : "";
}

/** The summary that a finished run left: all there is in a fresh clone, which has neither journal nor checkpoints. */
export function readWrittenSummary(spec: Spec): string | undefined {
  const lines = readProgress(spec).split(/\r?\n/);
  const notes = findNotes(lines, (line) => line.trimEnd() === `## ${SUMMARY}`);
  const text =
    notes &&
    lines
      .slice(notes.start + 1, notes.end)
      .join("\n")
      .trim();
  return text === "" ? undefined : text;
}

/** Writes the receipt of a finished spec: as data, and as a table in `.progress.md`. If that fails, the work still counts. */
export function writeReceipt(
  spec: Spec,
  list: TaskList,
): { readonly facts: SpecFacts; readonly fault: string | undefined } {
  const facts = readSpecFacts(spec, list);
  const { tasks, amendments } = facts;
  const fault =
    writeReceiptFile(spec, RECEIPT_FILE, formatReceipt(spec.name, tasks, amendments)) ??
    writeProgressSection(spec, RECEIPT, renderReceipt(tasks, amendments));
  return { facts, fault };
}

/**
 * What a finished run leaves behind: receipt and summary in `.progress.md`, committed with the ticked list. It is the
 * last thing before the end, so that the cost of the last task is in it. If a review comes first, it is not
 * final, and written again. Returns what to tell if the commit fails.
 */
export function writeOutcome(
  { spec, list, state }: Pick<Run, "spec" | "list" | "state">,
  { isFinal = true }: { readonly isFinal?: boolean } = {},
): string | undefined {
  writeReceipt(spec, list);
  writeProgressSection(spec, SUMMARY, renderPage(readSummary(spec, list)));
  return isFinal ? commitFinished(spec, state) : undefined;
}

/** Writes what a run that ends leaves behind, if nobody has yet. Returns the end of the line that says so. */
export function concludeRun(spec: Spec, list: TaskList, state: State, isWritten: boolean): string {
  const uncommitted = isWritten
    ? readAllEntries(spec).findLast(({ event }) => event === "ready")?.note
    : writeOutcome({ spec, list, state });
  const { facts, fault } = writeReceipt(spec, list);
  const { counts, spent } = facts;
  const what =
    readWrittenSummary(spec) === undefined ? "the receipt is" : "summary and receipt are";
  const cost = spent === null ? "" : `; ${formatCosts(spent)}`;
  const told = [
    fault ?? `${what} in .progress.md`,
    ...(uncommitted === undefined ? [] : [uncommitted]),
  ];
  return `; ${describeClasses(counts)}${cost}; ${told.join("; ")}`;
}
