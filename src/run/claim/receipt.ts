import { fieldOf } from "../../tasks/fields.ts";
import { groupOf } from "../../tasks/groups.ts";
import type { Task, TaskList } from "../../tasks/model.ts";
import { isRowRule, splitRow } from "../../text/markdown.ts";
import { findNotes } from "../../text/sections.ts";
import { readSpans } from "../../text/spans.ts";
import type { Entry, EventName } from "../journal.ts";
import { type Evidence, OUTCOMES } from "./evidence.ts";

/** The heading of the receipt in `.progress.md`. */
export const RECEIPT = "Receipt";

/** What is known about one task: what it took, and what proves it. */
export interface ReceiptLine {
  readonly id: string;
  readonly title: string;
  readonly done: boolean;
  readonly attempts: number;
  readonly refused: number;
  readonly finishedAt: string | null;
  readonly commit: string | null;
  readonly evidence: readonly Evidence[];
  /** Why there is no evidence, or what else was noted. */
  readonly note: string | null;
  readonly milliseconds: number | null;
}

/**
 * One line per task, from the boxes and the journal. A box that was ticked by hand has no evidence, and the line shows
 * it.
 */
export function planReceipt(list: TaskList, entries: readonly Entry[]): ReceiptLine[] {
  const about = new Map<string, Entry[]>();
  for (const entry of entries) {
    if (entry.task === undefined) continue;
    const others = about.get(entry.task);
    if (others === undefined) about.set(entry.task, [entry]);
    else others.push(entry);
  }
  const starts = handedOutAt(list, entries);
  return list.tasks.map((task) =>
    lineOf(list, task, about.get(task.id) ?? [], starts.get(task.id)),
  );
}

/** Events after which an earlier report no longer counts. */
const VERDICTS: ReadonlySet<EventName> = new Set(["done", "refused", "failed", "undone"]);

/** The report behind a ticked box: the last entry on the task, if that was "done". */
function proofOf(entries: readonly Entry[]): Entry | undefined {
  const last = entries.findLast(({ event }) => VERDICTS.has(event));
  return last?.event === "done" ? last : undefined;
}

/** Whether the journal has a last entry on a task at all. */
export const hasVerdict = (entries: readonly Entry[], id: string): boolean =>
  entries.some((entry) => entry.task === id && VERDICTS.has(entry.event));

/** Whether a task was reported, checked and found done, and nothing has contradicted that since. */
export const isProven = (entries: readonly Entry[], { id }: Task): boolean =>
  proofOf(entries.filter((entry) => entry.task === id)) !== undefined;

function lineOf(
  list: TaskList,
  task: Task,
  entries: readonly Entry[],
  began: string | undefined,
): ReceiptLine {
  const done = task.checked ? proofOf(entries) : undefined;
  const failed = entries.filter(({ event }) => event === "failed").length;
  return {
    id: task.id,
    title: task.title,
    done: task.checked,
    attempts: failed + (task.checked ? 1 : 0),
    refused: entries.filter(({ event }) => event === "refused").length,
    finishedAt: done?.at ?? null,
    commit: done?.evidence?.[0]?.commit || null,
    evidence: done?.evidence ?? [],
    note: noteOn(list, task, done),
    milliseconds: done === undefined || began === undefined ? null : between(began, done.at),
  };
}

/** The note on a box that was ticked without an accepted report. */
export const BY_HAND = "ticked by hand";

function noteOn(list: TaskList, task: Task, done: Entry | undefined): string | null {
  if (!task.checked) return null;
  if (done === undefined) return BY_HAND;
  if (done.note !== undefined) return done.note;
  // Older versions wrote nothing about a Verify that was switched off.
  const hasVerify = done.evidence === undefined && fieldOf(list, task, "verify");
  return hasVerify ? "its Verify was not run" : "no Verify";
}

/** When each task was first handed out: at the start of a run or by a continuation; a group all at once. */
function handedOutAt(list: TaskList, entries: readonly Entry[]): Map<string, string> {
  const starts = new Map<string, string>();
  const byId = new Map(list.tasks.map((task) => [task.id, task]));
  for (const { at, loop } of entries) {
    if (loop.task === null || starts.has(loop.task)) continue;
    starts.set(loop.task, at);
    const first = byId.get(loop.task);
    for (const { id } of first === undefined ? [] : groupOf(list, first)) {
      if (!starts.has(id)) starts.set(id, at);
    }
  }
  return starts;
}

function between(start: string, end: string): number | null {
  const time = timeOf(end) - timeOf(start);
  return Number.isNaN(time) ? null : Math.max(0, time);
}

// eslint-disable-next-line no-restricted-globals -- reading a time that is given is as pure as any arithmetic
const timeOf = (iso: string): number => Date.parse(iso);

/** The receipt as Markdown, for `.progress.md`; `parseReceipt` reads it back. */
export function renderReceipt(lines: readonly ReceiptLine[]): string {
  const rows = lines.map((line) => {
    const verify = line.evidence.map(({ command }) => code(command)).join("<br>");
    const result =
      line.evidence.map(({ outcome }) => outcome).join("<br>") || cell(line.note ?? "");
    const cells = [
      cell(line.id),
      line.done ? "yes" : "no",
      line.attempts,
      verify,
      result,
      cell(line.commit?.slice(0, 9) ?? ""),
      line.milliseconds === null ? "" : `${Math.round(line.milliseconds / 1000)} s`,
    ];
    return `| ${cells.join(" | ")} |`;
  });
  return [`| ${COLUMNS.join(" | ")} |`, "|---|---|---:|---|---|---|---:|", ...rows].join("\n");
}

const COLUMNS = ["task", "done", "attempts", "verify", "result", "commit", "time"];

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

const cell = (text: string): string => oneLine(text).replaceAll("|", "\\|");

/** As a code span, with more backticks than the command contains. */
function code(command: string): string {
  const runs = command.match(/`+/g) ?? [];
  const fence = "`".repeat(Math.max(0, ...runs.map((run) => run.length)) + 1);
  const pad = runs.length > 0 ? " " : "";
  return fence + pad + cell(command) + pad + fence;
}

/** Commands as a receipt reads back: one line each, after Markdown has changed the rest. */
export function parseCode(commands: readonly string[]): string[] {
  const [, verify = ""] = splitRow(`| | ${commands.map(code).join("<br>")} |`) ?? [];
  return readCommands(verify);
}

/** A line of a receipt, as far as it can be read back: no output, no exit code, a short commit. */
export interface ReceiptRow {
  readonly id: string;
  readonly done: boolean;
  readonly evidence: readonly Pick<Evidence, "command" | "outcome">[];
  readonly commit: string | null;
  readonly note: string | null;
}

/** The receipt in a `.progress.md`: all that is left of a run without its journal. */
export function parseReceipt(progress: string): ReceiptRow[] {
  const lines = progress.split(/\r?\n/);
  const notes = findNotes(lines, (line) => line.trimEnd() === `## ${RECEIPT}`);
  const rows: ReceiptRow[] = [];
  let inTable = false;
  for (const line of notes === undefined ? [] : lines.slice(notes.start + 1, notes.end)) {
    const cells = splitRow(line.trim());
    if (cells === undefined) {
      // Whatever follows the table is not ours.
      if (inTable) break;
    } else if (inTable) {
      if (!isRowRule(cells)) rows.push(readRow(cells));
    } else inTable = cells.join() === COLUMNS.join();
  }
  return rows;
}

function readRow([
  id = "",
  done,
  ,
  verify = "",
  result = "",
  commit = "",
]: readonly string[]): ReceiptRow {
  const commands = readCommands(verify);
  const outcomes = result.split("<br>");
  return {
    id,
    done: done === "yes",
    evidence: commands.map((command, i) => ({
      command,
      outcome: OUTCOMES.find((one) => one === outcomes[i]) ?? "unrun",
    })),
    commit: commit || null,
    note: commands.length > 0 ? null : result || null,
  };
}

const readCommands = (verify: string): string[] =>
  readSpans(verify).map(({ start, code: text }) =>
    verify.startsWith("``", start) ? text.slice(1, -1) : text,
  );
