import type { Evidence } from "../run/claim/evidence.ts";
import { hasVerdict } from "../run/claim/settled.ts";
import type { Entry } from "../run/journal.ts";
import { fieldOf } from "../tasks/fields.ts";
import type { Task, TaskList } from "../tasks/model.ts";
import { designOf } from "../tasks/tags.ts";
import { parseVerify } from "../tasks/verify/verify.ts";
import { classify, NOTHING_KNOWN } from "./classify.ts";
import { isAccepted, judgeRow } from "./receipt-check.ts";
import type { ReceiptRow } from "./receipt.ts";
import type { TaskFacts, TaskSources } from "./task-facts.ts";

/** What is known about a task, besides what it took. */
export type KnownTask = Omit<
  TaskFacts,
  | "id"
  | "title"
  | "line"
  | "done"
  | "ticked"
  | "tries"
  | "agents"
  | "models"
  | "spent"
  | "attempts"
  | "refused"
> &
  Partial<Pick<TaskFacts, "attempts" | "refused">>;

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

/** What a receipt says, as far as that can be true. Its verdict is not believed, but made again. */
export function fromReceipt(
  { list, history, settings }: TaskSources,
  task: Task,
  row: ReceiptRow,
): KnownTask {
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
  const before = (isFalse ? [] : row.before).map((outcome, i) => {
    const { command = "", doubt: vain } = evidence[i] ?? {};
    return { ...unknown, command, outcome, ...(vain === undefined ? {} : { doubt: vain }) };
  });
  const { rest } = row;
  const design = designOf(task);
  return {
    attempts: rest?.attempts ?? 1,
    refused: rest?.refused ?? 0,
    finishedAt: rest?.finishedAt ?? null,
    milliseconds: rest?.milliseconds ?? null,
    commits: isFalse ? null : (rest?.commits ?? null),
    noChange: rest?.noChange ?? null,
    ...classify({
      ...NOTHING_KNOWN,
      isAccepted: isAccepted(note),
      design: rest === undefined || rest.design === design ? design : null,
      before,
      evidence,
      commits: rest?.commits ?? null,
      isOlder: rest === undefined || rest.class === "proven",
      tree,
      noChange: rest?.noChange ?? null,
      doubt: doubt ?? null,
    }),
    commit: isFalse || rest?.commits?.length === 0 ? null : commit,
    tree: isFalse ? null : tree,
    before,
    evidence,
    note: doubt ?? note,
    isUnchecked,
  };
}

/** What was recorded, with what speaks against each command: older versions, and tables, do not say so. */
export function withDoubts(
  list: TaskList,
  task: Task,
  ran: readonly Evidence[],
): readonly Evidence[] {
  if (ran.length === 0) return ran;
  const { checks } = parseVerify(fieldOf(list, task, "verify") ?? "");
  return ran.map((one, i) => {
    const why = one.doubt ?? checks[i]?.doubt?.why;
    return why === undefined ? one : { ...one, doubt: why };
  });
}
