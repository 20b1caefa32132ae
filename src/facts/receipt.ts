import { type Outcome, OUTCOMES, TREES } from "../run/claim/evidence.ts";
import { CLASSES, verdictFields } from "../run/claim/verdict.ts";
import { type Amendment, amendmentKind } from "../run/journal.ts";
import * as s from "../text/schema.ts";
import { countClasses } from "./classify.ts";
import type { TaskFacts } from "./task-facts.ts";

/** The receipt of a spec, next to its documents. */
export const RECEIPT_FILE = "receipt.json";

const outcomeKind = s.oneOf(...OUTCOMES);

const checkKind = s.objectWith(
  {
    command: s.field(s.string, "As it was run."),
    before: s.field(
      s.nullable(outcomeKind),
      "How it ended before the work; null if it was not tried.",
    ),
    after: s.field(
      outcomeKind,
      "How it ended when the task was claimed, or at the end of the run.",
    ),
  },
  {
    expects: s.field(s.string, "What it has to do, in words, if not just exit with 0."),
    doubt: s.field(s.string, "Why it proves nothing, however it ends."),
  },
);

const taskFields = {
  id: s.field(s.string, "The task's number."),
  title: s.field(s.string, "Its title."),
  ...verdictFields,
  attempts: s.field(s.integer(0), "How often somebody tried."),
  refused: s.field(s.integer(0), "How often a claim was refused."),
  verify: s.field(s.listOf(checkKind), "What was run to check it."),
  commit: s.field(
    s.nullable(s.string),
    "Its last own commit, or what was checked out when its Verify ran.",
  ),
  commits: s.field(s.nullable(s.listOf(s.string)), "Its own commits; null if nobody could tell."),
  tree: s.field(s.nullable(s.oneOf(...TREES)), "What was uncommitted when its Verify ran."),
  note: s.field(s.nullable(s.string), "Why there is no evidence, or what else was noted."),
  noChange: s.field(s.nullable(s.string), "Why nothing has changed, in the agent's words."),
  finishedAt: s.field(s.nullable(s.string), "When it was done, ISO 8601."),
  milliseconds: s.field(s.nullable(s.integer(0)), "From its first hand-out until it was done."),
  tokens: s.field(s.nullable(s.number(0)), "What its agents used, if they said so."),
  usd: s.field(s.nullable(s.number(0)), "The same in US dollars."),
};

const taskKind = s.objectOf(taskFields);
type ReceiptTask = s.ValuesOf<typeof taskFields>;

const receiptFields = {
  spec: s.field(s.string, "The spec's name."),
  counts: s.field(
    s.objectOf(
      Object.fromEntries(
        ["total", "done", ...CLASSES].map((name) => [
          name,
          s.field(s.integer(0), "How many tasks."),
        ]),
      ),
    ),
    "How many tasks are in each class.",
  ),
  tasks: s.field(s.listOf(taskKind), "In the order of the list."),
  amendments: s.field(s.listOf(amendmentKind), "Verify commands that were changed during the run."),
};

export const receiptSchema = (): object => ({
  $schema: "http://json-schema.org/draft-07/schema#",
  title: "Smart Ralph receipt",
  description:
    "What proves each task of a spec. Written when a run ends, and committed with the ticked list.",
  ...s.objectSchema(receiptFields, Object.keys(receiptFields)),
});

/** The receipt as it is written. */
export function formatReceipt(
  spec: string,
  tasks: readonly TaskFacts[],
  amendments: readonly Amendment[],
): string {
  const receipt: s.ValuesOf<typeof receiptFields> = {
    spec,
    counts: countClasses(tasks),
    tasks: tasks.map(taskOf),
    amendments: amendments.map(({ task, old, new: now, reason }) => ({
      task,
      old,
      new: now,
      reason,
    })),
  };
  return `${JSON.stringify(receipt, null, 2)}\n`;
}

const taskOf = (facts: TaskFacts): ReceiptTask => ({
  id: facts.id,
  title: facts.title,
  class: facts.class,
  weakness: facts.weakness,
  design: facts.design,
  attempts: facts.attempts,
  refused: facts.refused,
  verify: facts.evidence.map(({ command, expects, doubt, outcome: after }, i) => ({
    command,
    ...(expects === undefined ? {} : { expects }),
    ...(doubt === undefined ? {} : { doubt }),
    before: facts.before[i]?.outcome ?? null,
    after,
  })),
  commit: facts.commit ?? (facts.evidence[0]?.commit || null),
  commits: facts.commits,
  tree: facts.tree,
  note: facts.note,
  noChange: facts.noChange,
  finishedAt: facts.finishedAt,
  milliseconds: facts.milliseconds,
  tokens: facts.spent?.tokens ?? null,
  usd: facts.spent?.usd ?? null,
});

/** What a receipt says about a done task, in either form. What older versions did not write is missing. */
export interface ReceiptRow extends Pick<ReceiptTask, "id" | "commit" | "tree" | "note"> {
  readonly verify: readonly Omit<ReceiptTask["verify"][number], "before">[];
  readonly before: readonly Outcome[];
  readonly rest?: Pick<
    ReceiptTask,
    | "class"
    | "design"
    | "commits"
    | "noChange"
    | "attempts"
    | "refused"
    | "finishedAt"
    | "milliseconds"
  >;
}

/** Rows that cannot be read are left out: their tasks have no receipt. */
export function parseReceiptFile(text: string): ReceiptRow[] {
  const file = s.parseRaw(text);
  const tasks = file.kind === "ok" && s.isObject(file.raw) ? file.raw["tasks"] : [];
  return (Array.isArray(tasks) ? tasks : [])
    .filter(taskKind.is)
    .filter(isDone)
    .map((task) => ({
      id: task.id,
      commit: task.commit,
      tree: task.tree,
      note: task.note,
      verify: task.verify,
      before: task.verify.flatMap(({ before }) => before ?? []),
      rest: task,
    }));
}

const isDone = ({ class: is }: ReceiptTask): boolean => !["open", "skipped"].includes(is);
