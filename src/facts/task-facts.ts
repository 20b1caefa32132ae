import { type Agreement, agreedDesign } from "../run/agreement.ts";
import type { Evidence, Tree } from "../run/claim/evidence.ts";
import { BY_HAND, GIVEN, hasVerdict, isGiven, lastCheckOf, proofOf } from "../run/claim/receipt.ts";
import { findTrial } from "../run/claim/task-history.ts";
import type { Verdict } from "../run/claim/verdict.ts";
import { type Spent, spentOn } from "../run/cost.ts";
import type { Entry } from "../run/journal.ts";
import type { Settings } from "../run/settings.ts";
import { fieldOf } from "../tasks/fields.ts";
import type { Task, TaskList } from "../tasks/model.ts";
import { designOf } from "../tasks/tags.ts";
import { parseVerify } from "../tasks/verify/verify.ts";
import { type Attempt, planAttempts, type TaskAttempts } from "./attempts.ts";
import { classify } from "./classify.ts";
import { type History, isAccepted, judgeRow } from "./receipt-check.ts";
import type { ReceiptRow } from "./receipt.ts";

/** All that is known about a task: what it took, what proves it, and how much that is worth. */
export interface TaskFacts extends Verdict, Pick<Task, "id" | "title" | "line"> {
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
  /** Its last own commit, or what was checked out when its Verify ran. */
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

/** The rows of a receipt that count: of ticked tasks that the journal says nothing about. */
export function selectRows(
  { tasks }: TaskList,
  entries: readonly Entry[],
  receipt: readonly ReceiptRow[],
): ReadonlyMap<string, ReceiptRow> {
  const ticked = new Set(tasks.filter(({ checked }) => checked).map(({ id }) => id));
  const rows = receipt.filter(({ id }) => ticked.has(id) && !hasVerdict(entries, id));
  return new Map(rows.map((row) => [row.id, row]));
}

export function planTasks(sources: TaskSources): TaskFacts[] {
  const { list, entries, receipt } = sources;
  const about = groupByTask(entries);
  const attempts = planAttempts(list, entries);
  const rows = selectRows(list, entries, receipt);
  return list.tasks.map((task) => {
    const own = about.get(task.id) ?? [];
    const row = rows.get(task.id);
    const made = attempts.get(task.id) as TaskAttempts;
    const costs = own.flatMap(({ cost }) => cost ?? []);
    const took = {
      attempts: made.attempts.length,
      refused: made.attempts.filter(({ end }) => end === "refused").length,
      tries: made.attempts,
      agents: unique(costs.flatMap(({ agent }) => agent ?? [])),
      models: unique(costs.flatMap(({ model }) => model ?? [])),
      spent: spentOn(own),
    };
    const known =
      row === undefined ? fromJournal(sources, task, own, made.began) : fromRow(sources, task, row);
    const { id, title, line } = task;
    const done = task.checked && known.class !== "failed";
    return { id, title, line, ...took, ...known, done };
  });
}

function groupByTask(entries: readonly Entry[]): ReadonlyMap<string, readonly Entry[]> {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const group = groups.get(entry.task ?? "");
    if (group === undefined) groups.set(entry.task ?? "", [entry]);
    else group.push(entry);
  }
  return groups;
}

const unique = (names: readonly string[]): string[] => [...new Set(names)];

type Known = Omit<
  TaskFacts,
  | "id"
  | "title"
  | "line"
  | "done"
  | "tries"
  | "agents"
  | "models"
  | "spent"
  | "attempts"
  | "refused"
> &
  Partial<Pick<TaskFacts, "attempts" | "refused">>;

function fromJournal(
  { list, entries, agreed, skipped }: TaskSources,
  task: Task,
  own: readonly Entry[],
  began: string | null,
): Known {
  const settled = task.checked ? proofOf(own) : undefined;
  const last = task.checked ? (lastCheckOf(own, settled) ?? settled) : undefined;
  const before = withDoubts(list, task, findTrial(own)?.evidence ?? []);
  const evidence = withDoubts(list, task, last?.evidence ?? []);
  const { commits = null, noChange = null } = settled ?? {};
  const given = task.checked && isGiven(agreed?.given, entries, task);
  const tree = evidence[0]?.tree ?? null;
  const loop = entries.at(-1)?.loop;
  const verdict =
    (last === settled ? settled?.verdict : undefined) ??
    classify({
      isTicked: task.checked,
      isSkipped: skipped.has(task.id),
      isExhausted: loop !== undefined && (loop.attempts[task.id] ?? 1) > loop.maxAttempts,
      isAccepted: settled === undefined ? given : settled.event === "accepted",
      design: agreedDesign(agreed, task),
      before,
      evidence,
      commits,
      tree,
      noChange,
      doubt: null,
    });
  return {
    ...verdict,
    finishedAt: settled?.at ?? null,
    milliseconds: settled === undefined || began === null ? null : between(began, settled.at),
    commit: commits?.at(-1) ?? (evidence[0]?.commit || null),
    commits,
    tree,
    before,
    evidence,
    note: noteOn(list, task, last, given),
    noChange,
    isUnchecked: false,
  };
}

/** What a receipt says, as far as that can be true. Its verdict is not believed, but made again. */
function fromRow({ list, history, settings }: TaskSources, task: Task, row: ReceiptRow): Known {
  const { doubt, isUnchecked } = judgeRow(row, list, task, settings, history);
  const { commit, tree, note } = row;
  const unknown = { exitCode: null, milliseconds: 0, commit: commit ?? "", tail: "" };
  // What cannot be true is not repeated: it does not belong in a table of evidence.
  const isFalse = doubt !== undefined;
  const evidence = withDoubts(
    list,
    task,
    isFalse
      ? []
      : row.verify.map(({ after: outcome, ...check }) => ({ ...unknown, ...check, outcome })),
  );
  const before = (isFalse ? [] : row.before).map((outcome, i) => ({
    ...unknown,
    command: row.verify[i]?.command ?? "",
    outcome,
  }));
  const { rest } = row;
  const design = designOf(task);
  return {
    attempts: rest?.attempts ?? 1,
    refused: rest?.refused ?? 0,
    finishedAt: rest?.finishedAt ?? null,
    milliseconds: rest?.milliseconds ?? null,
    commits: rest?.commits ?? null,
    noChange: rest?.noChange ?? null,
    ...classify({
      isTicked: true,
      isSkipped: false,
      isExhausted: false,
      isAccepted: isAccepted(note),
      design: rest === undefined || rest.design === design ? design : null,
      before,
      evidence,
      commits: rest?.commits ?? null,
      tree,
      noChange: rest?.noChange ?? null,
      doubt: doubt ?? null,
    }),
    commit: isFalse ? null : commit,
    tree: isFalse ? null : tree,
    before,
    evidence,
    note: doubt ?? note,
    isUnchecked,
  };
}

/** What was recorded, with what speaks against each command: older versions, and tables, do not say so. */
function withDoubts(list: TaskList, task: Task, ran: readonly Evidence[]): readonly Evidence[] {
  if (ran.length === 0) return ran;
  const { checks } = parseVerify(fieldOf(list, task, "verify") ?? "");
  return ran.map((one, i) => {
    const why = one.doubt ?? checks[i]?.doubt?.why;
    return why === undefined ? one : { ...one, doubt: why };
  });
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
