import { groupOf } from "../tasks/groups.ts";
import type { Task, TaskList } from "../tasks/types.ts";
import type { Evidence } from "./evidence.ts";
import type { Entry, EventName } from "./journal.ts";

/** What is known of one task: what it took, and what proves it. */
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

/** One line a task, from the boxes and the journal. A box that was ticked by hand has no evidence, and that shows. */
export function planReceipt(list: TaskList, entries: readonly Entry[]): ReceiptLine[] {
  const about = new Map<string, Entry[]>();
  for (const entry of entries) {
    if (entry.task === undefined) continue;
    about.set(entry.task, [...(about.get(entry.task) ?? []), entry]);
  }
  const starts = handedOutAt(list, entries);
  return list.tasks.map((task) => lineOf(task, about.get(task.id) ?? [], starts.get(task.id)));
}

/** Events after which an earlier report no longer counts. */
const VERDICTS: ReadonlySet<EventName> = new Set(["done", "refused", "failed", "undone"]);

/** The report that a ticked box rests on: the last word on the task, if that was "done". */
function proofOf(entries: readonly Entry[]): Entry | undefined {
  const last = entries.findLast(({ event }) => VERDICTS.has(event));
  return last?.event === "done" ? last : undefined;
}

/** Whether a task was reported, weighed and found done, and nothing has been said against it since. */
export const isProven = (entries: readonly Entry[], { id }: Task): boolean =>
  proofOf(entries.filter((entry) => entry.task === id)) !== undefined;

function lineOf(task: Task, entries: readonly Entry[], began: string | undefined): ReceiptLine {
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
    note: noteOn(task, done),
    milliseconds: done === undefined || began === undefined ? null : between(began, done.at),
  };
}

function noteOn(task: Task, done: Entry | undefined): string | null {
  if (!task.checked) return null;
  return done === undefined ? "ticked by hand" : (done.note ?? "no Verify");
}

/** When each task was first handed out: at the start of a run, or by a continuation; a group all at once. */
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

const between = (start: string, end: string): number => Math.max(0, timeOf(end) - timeOf(start));

// eslint-disable-next-line no-restricted-globals -- reading a time that is given is as pure as any arithmetic
const timeOf = (iso: string): number => Date.parse(iso);

/** The receipt as Markdown, for `.progress.md`. */
export function renderReceipt(lines: readonly ReceiptLine[]): string {
  const rows = lines.map((line) => {
    const verify = line.evidence.map(({ command }) => `\`${cell(command)}\``).join("<br>");
    const result =
      line.evidence.map(({ outcome }) => outcome).join("<br>") || cell(line.note ?? "");
    const cells = [
      cell(line.id),
      line.done ? "yes" : "no",
      line.attempts,
      verify,
      result,
      line.commit?.slice(0, 9) ?? "",
      line.milliseconds === null ? "" : `${Math.round(line.milliseconds / 1000)} s`,
    ];
    return `| ${cells.join(" | ")} |`;
  });
  return [
    "| task | done | attempts | verify | result | commit | time |",
    "|---|---|---:|---|---|---|---:|",
    ...rows,
  ].join("\n");
}

const cell = (text: string): string => text.replace(/\s+/g, " ").replaceAll("|", "\\|");
