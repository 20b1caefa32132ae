import type { TaskFacts } from "../facts/task-facts.ts";
import type { Entry } from "../run/journal.ts";
import type { TaskView, ViewModel } from "./view/model.ts";

type Span = Pick<ViewModel, "began" | "ended">;

/** When a task was done, relative to this run; null if it is not done. A report may be read after later runs. */
export function doneIn(
  { began, ended }: Span,
  { state, doneAt }: Pick<TaskView, "state" | "doneAt">,
  receipt: Pick<TaskFacts, "done" | "finishedAt"> | undefined,
): "now" | "before" | "since" | null {
  const isDone = state === "done";
  if (isDone && doneAt !== null) return "now";
  if (!isDone && receipt?.done !== true) return null;
  const at = Date.parse(receipt?.finishedAt ?? "");
  // A box that was ticked by hand has no time, so what the run saw decides.
  if (Number.isNaN(at)) return isDone ? "before" : ended === null ? "now" : "since";
  if (at < Date.parse(began ?? "")) return "before";
  return ended !== null && at > Date.parse(ended.at) ? "since" : "now";
}

/** Entries with what agents used before the run began, in other runs or in a client. */
export const usedBefore = (
  { entries }: { readonly entries: readonly Entry[] },
  { began }: Pick<Span, "began">,
): readonly Entry[] =>
  entries.filter(
    ({ at, event }) => event === "returned" && Date.parse(at) < Date.parse(began ?? ""),
  );
