import type { Design } from "../../tasks/tags.ts";
import { DESIGNS } from "../../tasks/tags.ts";
import { field, nullable, objectOf, oneOf, string, type ValuesOf } from "../../text/schema.ts";

/**
 * What is behind a task. `proven`: its Verify can fail, failed before the work, and passes after it, which is committed.
 * `checked`: its Verify passes, and that is all. `accepted`: the user's word. `reported`: the agent's word, because
 * nothing was run. `failed`: it is ticked and its Verify fails, or no attempt is left.
 */
export const CLASSES = [
  "proven",
  "checked",
  "accepted",
  "reported",
  "failed",
  "open",
  "skipped",
] as const;
export type TaskClass = (typeof CLASSES)[number];

const fields = {
  class: field(oneOf(...CLASSES), "What is behind the task."),
  weakness: field(nullable(string), "What keeps it from being proven, as a clause."),
  design: field(
    nullable(oneOf<Design>(...DESIGNS)),
    "Why it is only checked by design, as its tag said when the user agreed to it.",
  ),
};

/** What became of a task, and why it is no more than that. */
export type Verdict = ValuesOf<typeof fields>;
export const verdictFields = fields;
export const verdictKind = objectOf(fields);
