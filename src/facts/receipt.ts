import type { Amendment } from "../run/change/amend.ts";
import { type Outcome, OUTCOMES, TREES } from "../run/claim/evidence.ts";
import { CLASSES, verdictFields } from "../run/claim/verdict.ts";
import {
  field,
  integer,
  isObject,
  listOf,
  nullable,
  number,
  objectOf,
  objectSchema,
  objectWith,
  oneOf,
  parseRaw,
  string,
  type ValuesOf,
} from "../text/schema.ts";
import { countClasses } from "./classify.ts";
import type { TaskFacts } from "./task-facts.ts";

/** The receipt of a spec, next to its documents. */
export const RECEIPT_FILE = "receipt.json";

const outcomeKind = oneOf(...OUTCOMES);

const checkKind = objectWith(
  {
    command: field(string, "As it was run."),
    before: field(nullable(outcomeKind), "How it ended before the work; null if it was not tried."),
    after: field(outcomeKind, "How it ended when the task was claimed, or at the end of the run."),
  },
  {
    expects: field(string, "What it has to do, in words, if not just exit with 0."),
    doubt: field(string, "Why it proves nothing, however it ends."),
  },
);

const taskFields = {
  id: field(string, "The task's number."),
  title: field(string, "Its title."),
  ...verdictFields,
  attempts: field(integer(0), "How often somebody tried."),
  refused: field(integer(0), "How often a claim was refused."),
  verify: field(listOf(checkKind), "What was run to check it."),
  commit: field(
    nullable(string),
    "Its last own commit, or what was checked out when its Verify ran.",
  ),
  commits: field(nullable(listOf(string)), "Its own commits; null if nobody could tell."),
  tree: field(nullable(oneOf(...TREES)), "What was uncommitted when its Verify ran."),
  note: field(nullable(string), "Why there is no evidence, or what else was noted."),
  noChange: field(nullable(string), "Why nothing has changed, in the agent's words."),
  finishedAt: field(nullable(string), "When it was done, ISO 8601."),
  milliseconds: field(nullable(integer(0)), "From its first hand-out until it was done."),
  tokens: field(nullable(number(0)), "What its agents used, if they said so."),
  usd: field(nullable(number(0)), "The same in US dollars."),
};

const taskKind = objectOf(taskFields);
type ReceiptTask = ValuesOf<typeof taskFields>;

const receiptFields = {
  spec: field(string, "The spec's name."),
  counts: field(
    objectOf(
      Object.fromEntries(
        ["total", "done", ...CLASSES].map((name) => [name, field(integer(0), "How many tasks.")]),
      ),
    ),
    "How many tasks are in each class.",
  ),
  tasks: field(listOf(taskKind), "In the order of the list."),
  amendments: field(
    listOf(
      objectOf({
        task: field(string, "The task's number."),
        old: field(string, "Its Verify before."),
        new: field(string, "And after."),
        reason: field(string, "Why it was changed."),
      }),
    ),
    "Verify commands that were changed during the run.",
  ),
};

export const receiptSchema = (): object => ({
  $schema: "http://json-schema.org/draft-07/schema#",
  title: "Smart Ralph receipt",
  description:
    "What proves each task of a spec. Written when a run ends, and committed with the ticked list.",
  ...objectSchema(receiptFields, Object.keys(receiptFields)),
});

/** The receipt as it is written. */
export function formatReceipt(
  spec: string,
  tasks: readonly TaskFacts[],
  amendments: readonly Amendment[],
): string {
  const receipt: ValuesOf<typeof receiptFields> = {
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
  const file = parseRaw(text);
  const tasks = file.kind === "ok" && isObject(file.raw) ? file.raw["tasks"] : [];
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
