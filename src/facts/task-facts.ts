import { type Agreement, agreedDesign } from "../run/agreement.ts";
import type { Evidence, Tree } from "../run/claim/evidence.ts";
import { BY_HAND, GIVEN, isGiven, lastCheckOf, proofOf } from "../run/claim/settled.ts";
import { findTrial } from "../run/claim/task-history.ts";
import type { Verdict } from "../run/claim/verdict.ts";
import { type Spent, spentOn } from "../run/cost.ts";
import type { Entry } from "../run/journal.ts";
import type { Settings } from "../run/settings.ts";
import { fieldOf } from "../tasks/fields.ts";
import type { Task, TaskList } from "../tasks/model.ts";
import { groupBy } from "../text/group.ts";
import { type Attempt, isSpent, planAttempts, type TaskAttempts } from "./attempts.ts";
import { classify, NOTHING_KNOWN } from "./classify.ts";
import { fromReceipt, type KnownTask, selectRows, withDoubts } from "./from-receipt.ts";
import type { History } from "./receipt-check.ts";
import type { ReceiptRow } from "./receipt.ts";

/** All that is known about a task: what it took, what proves it, and how much that is worth. */
export interface TaskFacts extends Verdict, Pick<Task, "id" | "title" | "line"> {
  readonly ticked: boolean;
  /** Ticked, and nothing speaks against it. */
  readonly done: boolean;
  /** How often somebody tried, and how often a claim was refused. */
  readonly attempts: number;
  readonly refused: number;
  readonly tries: readonly Attempt[];
  readonly agents: readonly string[];
  readonly models: readonly string[];
  readonly finishedAt: string | null;
  readonly milliseconds: number | null;
  /** What the agents that worked on it used; null if the client did not say. */
  readonly spent: Spent | null;
  /** Its last own commit; if nobody could tell which are its own, what was checked out when its Verify ran. */
  readonly commit: string | null;
  /** Its own commits; null if nobody could tell. */
  readonly commits: readonly string[] | null;
  /** What was uncommitted then; null if nothing was run, or an older version did not look. */
  readonly tree: Tree | null;
  /** How its Verify ended before the work, if it was tried, and after it. */
  readonly before: readonly Evidence[];
  readonly evidence: readonly Evidence[];
  /** Why there is no evidence, or what else was noted. */
  readonly note: string | null;
  readonly noChange: string | null;
  /** Its commit could not be looked for here. */
  readonly isUnchecked: boolean;
}

export interface TaskSources {
  readonly list: TaskList;
  readonly entries: readonly Entry[];
  readonly agreed: Agreement | undefined;
  /** Tasks that the user skipped. */
  readonly skipped: ReadonlySet<string>;
  /** What an earlier run left, where the journal says nothing: a fresh clone has no journal. */
  readonly receipt: readonly ReceiptRow[];
  /** What git knows about the commits in it. */
  readonly history: History;
  readonly settings: Settings;
}

export function planTasks(sources: TaskSources): TaskFacts[] {
  const { list, entries, receipt } = sources;
  const about = groupBy(entries, (entry) => entry.task);
  const attempts = planAttempts(list, entries);
  const rows = selectRows(list, entries, receipt);
  return list.tasks.map((task) => {
    const own = about.get(task.id) ?? [];
    const row = rows.get(task.id);
    const made = attempts.get(task.id) as TaskAttempts;
    const costs = own.flatMap(({ cost }) => cost ?? []);
    const took = {
      attempts: made.attempts.filter(isSpent).length,
      refused: made.attempts.filter(({ end }) => end === "refused").length,
      tries: made.attempts,
      agents: unique(costs.flatMap(({ agent }) => agent ?? [])),
      models: unique(costs.flatMap(({ model }) => model ?? [])),
      spent: spentOn(own),
    };
    const known =
      row === undefined
        ? fromJournal(sources, task, own, made.began)
        : fromReceipt(sources, task, row);
    const { id, title, line } = task;
    const done = task.checked && known.class !== "failed";
    return { id, title, line, ...took, ...known, ticked: task.checked, done };
  });
}

const unique = (names: readonly string[]): string[] => [...new Set(names)];

type Settled = Pick<Entry, "event" | "evidence" | "commits" | "noChange">;

/** What becomes of a task with the entry that settles it. `own`: what the journal says about it until then. */
export const judgeSettled = (
  list: TaskList,
  task: Task,
  own: readonly Entry[],
  { event, evidence = [], commits, noChange }: Settled,
  agreed: Agreement | undefined,
  isOlder = false,
): Verdict =>
  classify({
    ...NOTHING_KNOWN,
    isAccepted: event === "accepted",
    design: agreedDesign(agreed, task),
    before: withDoubts(list, task, findTrial(own)?.evidence ?? []),
    evidence: withDoubts(list, task, evidence),
    isOlder,
    commits: commits ?? null,
    tree: evidence[0]?.tree ?? null,
    noChange: noChange ?? null,
  });

function fromJournal(
  { list, entries, agreed, skipped }: TaskSources,
  task: Task,
  own: readonly Entry[],
  began: string | null,
): KnownTask {
  const settled = task.checked ? proofOf(own) : undefined;
  const last = task.checked ? (lastCheckOf(own, settled) ?? settled) : undefined;
  const evidence = withDoubts(list, task, last?.evidence ?? []);
  const commits = settled?.commits ?? null;
  const given = task.checked && isGiven(agreed?.given, entries, task);
  const loop = entries.at(-1)?.loop;
  const verdict =
    settled !== undefined && last === settled
      ? (settled.verdict ?? judgeSettled(list, task, own, settled, agreed, true))
      : classify({
          ...NOTHING_KNOWN,
          isTicked: task.checked,
          isSkipped: skipped.has(task.id),
          isExhausted: loop !== undefined && (loop.attempts[task.id] ?? 1) > loop.maxAttempts,
          isAccepted: given,
          design: agreedDesign(agreed, task),
          evidence,
          tree: evidence[0]?.tree ?? null,
        });
  return {
    ...verdict,
    finishedAt: settled?.at ?? null,
    milliseconds: settled === undefined || began === null ? null : between(began, settled.at),
    commit: commits === null ? evidence[0]?.commit || null : (commits.at(-1) ?? null),
    commits,
    tree: evidence[0]?.tree ?? null,
    before: withDoubts(list, task, findTrial(own)?.evidence ?? []),
    evidence,
    note: noteOn(list, task, last, given),
    noChange: settled?.noChange ?? null,
    isUnchecked: false,
  };
}

function noteOn(
  list: TaskList,
  task: Task,
  done: Entry | undefined,
  given: boolean,
): string | null {
  if (!task.checked) return null;
  if (done === undefined) return given ? GIVEN : BY_HAND;
  if (done.note !== undefined) return done.note;
  if ((done.evidence ?? []).length > 0) return null;
  // Older versions wrote nothing about a Verify that was switched off.
  const hasVerify = done.evidence === undefined && fieldOf(list, task, "verify");
  return hasVerify ? "its Verify was not run" : "no Verify";
}

function between(start: string, end: string): number | null {
  const time = timeOf(end) - timeOf(start);
  return Number.isNaN(time) ? null : Math.max(0, time);
}

// eslint-disable-next-line no-restricted-globals -- reading a time that is given is as pure as any arithmetic
const timeOf = (iso: string): number => Date.parse(iso);
