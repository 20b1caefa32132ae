import { fieldOf } from "../../tasks/fields.ts";
import type { Task, TaskList } from "../../tasks/model.ts";
import { quoteForShell } from "../../text/quote.ts";
import { readSpans } from "../../text/spans.ts";
import { oneLine } from "../../text/template.ts";

/** More would not fit on a line that somebody can read. */
const MAX_PATHS = 40;

/**
 * The command that commits a task's work and nothing else. The paths are named because parallel executors share one
 * index: a bare `git commit` would take what another one has staged.
 */
export function commitLine(list: TaskList, task: Task, files: readonly string[]): string {
  const paths = files.slice(0, MAX_PATHS).map(quoteForShell).join(" ");
  const message = quoteForShell(commitMessage(list, task));
  return `git add -- ${paths} && git commit -m ${message} -- ${paths}`;
}

/** What its **Commit** says, or its title. */
function commitMessage(list: TaskList, task: Task): string {
  const field = fieldOf(list, task, "commit") ?? "";
  const [span] = readSpans(field);
  const text = oneLine(span?.code ?? field, 100);
  return text === "" ? oneLine(`${task.id} ${task.title.replaceAll("`", "")}`, 72) : text;
}
