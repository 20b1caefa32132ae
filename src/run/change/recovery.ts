import { copyFields, planFixTask } from "../../tasks/edit/fix-task.ts";
import type { NewTask } from "../../tasks/edit/insert.ts";
import { taskText } from "../../tasks/edit/tick.ts";
import { fieldOf } from "../../tasks/fields.ts";
import type { Task } from "../../tasks/model.ts";
import { helpedIds, isVerifyTask } from "../../tasks/tags.ts";
import { findNotes } from "../../text/sections.ts";
import { oneLine } from "../../text/template.ts";
import { ASIDE } from "../claim/task-history.ts";
import type { Write } from "../decision.ts";
import { attemptAt } from "../hand-out.ts";
import type { Entry, Loop } from "../journal.ts";
import { increment } from "../loop.ts";
import { excerptFailure } from "../signal.ts";
import { limitIn, type Raw } from "../state.ts";
import {
  cacheFor,
  insertTasks,
  type InsertedTasks,
  type RunStanding,
  textOf,
} from "./insert-tasks.ts";
import { lineageOf } from "./lineage.ts";

/** The result of a failed attempt. */
export interface Failure {
  /** The same failure reported twice in a row counts once: nothing to write. */
  readonly repeated: boolean;
  /** Failed attempts, including this one. */
  readonly failed: number;
  /** Attempts left. */
  readonly left: number;
  /** The fix task that comes first now. */
  readonly fix?: { readonly id: string; readonly isNew: boolean };
  /** Why there is no fix task, where there should be one. */
  readonly noFix?: string;
  /** Written before the rest: `tasks.md` with the fix task in it. */
  readonly tasks?: string;
  /** Appended to the history in `.progress.md`. */
  readonly history?: string;
  /** Applied in this order; only the last one touches the state. */
  readonly writes: readonly Write[];
}

/** An attempt that failed, and what it left behind. */
export interface FailedAttempt extends Pick<Entry, "agent" | "uncommitted" | "commits"> {
  readonly reason: string;
}

/**
 * Counts a failed attempt and puts a fix task after the task: in recovery mode, and always for a check, because whoever
 * checks changes nothing and would find the same again.
 */
export function planFailure(
  standing: RunStanding,
  recent: readonly Entry[],
  task: Task,
  { reason, ...said }: FailedAttempt,
): Failure {
  const { state, loop } = standing;
  const repeated = isRepeated(recent, task, reason, said.agent);
  const before = attemptAt(task, state, loop);
  const attempt = repeated ? before : increment(before);
  const counted = {
    repeated,
    failed: attempt - 1,
    left: Math.max(0, loop.maxAttempts - attempt + 1),
  };
  if (repeated) return { ...counted, ...waitingFix(standing, task), writes: [] };

  const { [task.id]: _, ...refusals } = loop.refusals;
  const now: Loop = {
    ...loop,
    refusals,
    attempts: { ...loop.attempts, [task.id]: attempt },
    lastError: excerptFailure(reason, MAX_ERROR),
    moves: increment(loop.moves),
  };
  const failed: Write = { event: "failed", task: task.id, note: reason, ...said, loop: now };
  const isCurrent = state.taskIndex === task.index || state.taskIndex === undefined;
  const alone: Write = { ...failed, state: isCurrent ? { taskIteration: attempt } : {} };
  // After the last failure there are no more attempts, so there is nothing to fix it for.
  const isFixed = state.recoveryMode === true || isVerifyTask(task);
  if (!isFixed || counted.left === 0) return { ...counted, writes: [alone] };

  const fix = planFix({ ...standing, loop: now }, task, reason);
  if (!("grown" in fix)) return { ...counted, ...fix, writes: [alone] };
  const { grown, made } = fix;
  const added: Write = {
    event: "fix-added",
    task: task.id,
    note: `${made.id}: ${reason}`,
    loop: grown.loop,
    state: { ...cacheFor(standing, grown), fixTaskMap: recordFix(standing, task, made.id, reason) },
  };
  return {
    ...counted,
    fix: { id: made.id, isNew: true },
    tasks: textOf(grown.list),
    history: `- ${made.id} [FIX ${task.id}], after failure ${counted.failed} of ${loop.maxAttempts}: ${reason}`,
    writes: [{ ...failed, loop: grown.loop }, added],
  };
}

/** As much of a reason as the loop's record repeats on every line. */
const MAX_ERROR = 300;

/** `recent`: since tasks were last handed out. */
function isRepeated(
  recent: readonly Entry[],
  { id }: Task,
  reason: string,
  agent: string | undefined,
): boolean {
  const own = recent.filter(({ task }) => task === id);
  const heard = own.findLast((entry) => entry.event === "failed" && entry.agent !== undefined);
  // The coordinator passes on, in its own words, what we heard from the executor itself.
  if (heard !== undefined) return agent === undefined || agent === heard.agent;
  const last = own.findLast(({ event }) => !ASIDE.has(event));
  if (last?.event === "failed") return last.note === reason;
  return last?.event === "fix-added" && last.note?.slice(last.note.indexOf(": ") + 2) === reason;
}

type Fix =
  | { readonly grown: InsertedTasks; readonly made: Task }
  | { readonly fix: { readonly id: string; readonly isNew: false } }
  | { readonly noFix: string };

function planFix(standing: RunStanding, task: Task, reason: string): Fix {
  const { list, state } = standing;
  const most = limitIn(state, "maxFixTasksPerOriginal");
  const deepest = limitIn(state, "maxFixTaskDepth");
  // Written by a process that died before it could report it.
  const same = openFixes(standing, task).find((one) =>
    taskText(list, one).includes(orders(task, reason)),
  );
  if (same !== undefined) return { fix: { id: same.id, isNew: false } };
  if (fixesOf(standing, task).length >= most) {
    return { noFix: `${task.id} has had its ${most} fix tasks` };
  }
  if (lineageOf(list, state, task).fixes >= deepest) {
    return { noFix: `fixes nest no deeper than ${deepest}` };
  }
  const wanted = writeFix(standing, task, reason);
  // The tag names the task that waits, so that task needs an id.
  if (wanted.id === undefined) return { noFix: `${task.id} has no id for a fix to refer to` };
  const grown = insertTasks(standing, task, "after", [wanted]);
  const made = grown?.added[0];
  if (grown === undefined || made === undefined) {
    return { noFix: `tasks.md has no place for a task after ${task.id}` };
  }
  return { grown, made };
}

/** Tags count in case the state was lost, the state in case a fix was deleted from the file. */
function fixesOf({ list, state }: RunStanding, task: Task): readonly string[] {
  const id = task.id.toUpperCase();
  const ids = list.tasks.filter((one) => helpedIds(one, "FIX").includes(id)).map((one) => one.id);
  const recorded = state.fixTaskMap?.[task.id]?.["fixTaskIds"];
  const others = Array.isArray(recorded) ? recorded.filter((one) => typeof one === "string") : [];
  return [...new Set([...others, ...ids])];
}

const openFixes = ({ list }: RunStanding, task: Task): Task[] =>
  list.tasks.filter((one) => !one.checked && helpedIds(one, "FIX").includes(task.id.toUpperCase()));

function waitingFix(standing: RunStanding, task: Task): Pick<Failure, "fix"> {
  const [fix] = openFixes(standing, task);
  return fix === undefined ? {} : { fix: { id: fix.id, isNew: false } };
}

function recordFix(standing: RunStanding, task: Task, id: string, reason: string): Raw {
  const fixTaskIds = [...fixesOf(standing, task), id];
  const { fixTaskMap = {} } = standing.state;
  return {
    ...fixTaskMap,
    [task.id]: { attempts: fixTaskIds.length, fixTaskIds, lastError: reason },
  };
}

function writeFix({ spec, list }: RunStanding, task: Task, reason: string): NewTask {
  const bullet = bulletOf(copyFields(list, task, ["do", "files", "verify"]));
  // Lists of 4.2 and older have the second word.
  const subject = task.title.replace(/^(?:Fix|Mend): /, "") || `task ${task.id}`;
  const fix = planFixTask(list, task, `Fix: ${subject}`, [
    `${bullet}**Do**: ${orders(task, reason)}`,
  ]);
  const { scope = spec.name } = parseCommitField(fieldOf(list, task, "commit"));
  const commit = `${bullet}**Commit**: \`fix(${scope}): ${stripMarkup(subject)}\``;
  return { ...fix, fields: [...(fix.fields as readonly string[]), commit] };
}

const orders = ({ id }: Task, reason: string): string =>
  `${id} failed: ${reason.replace(/\.$/, "")}. Fix the cause and nothing else; ${id} itself is tried again afterwards`;

/** Fields are bullets in some files and plain lines in others. */
export const bulletOf = ([first]: readonly string[]): string =>
  first === undefined || /^[-*+]\s/.test(first) ? "- " : "";

/** Type and scope of a conventional commit message. */
export function parseCommitField(field: string | undefined): { type?: string; scope?: string } {
  const [, type, scope] = /^`*([a-z]+)(?:\(([^()`]+)\))?!?:/.exec(field ?? "") ?? [];
  return { ...(type === undefined ? {} : { type }), ...(scope === undefined ? {} : { scope }) };
}

/** Fit for a title or the subject of a commit: cut, and so without marks that come in pairs. */
export const stripMarkup = (text: string, max = 60): string =>
  oneLine(text.replace(/`|\*\*/g, ""), max);

const HISTORY = "## Fix Task History";

/** The text of `.progress.md` with one more line in its fix history. */
export function addHistory(progress: string, line: string): string {
  const eol = progress.includes("\r\n") ? "\r\n" : "\n";
  const lines = progress.split(/\r?\n/);
  const notes = findNotes(lines, (text) => text.trim() === HISTORY);
  if (notes === undefined) {
    const before = progress === "" ? "" : `${progress.trimEnd()}${eol}${eol}`;
    return `${before}${HISTORY}${eol}${eol}${line}${eol}`;
  }
  const { start: head } = notes;
  let { end } = notes;
  if (lines.slice(head, end).includes(line)) return progress;
  const behind = lines.slice(end);
  while (end > head + 1 && lines[end - 1]?.trim() === "") end--;
  const gap = end === head + 1 ? [""] : [];
  return [...lines.slice(0, end), ...gap, line, "", ...behind].join(eol);
}
