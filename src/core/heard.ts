import type { TaskList } from "../tasks/types.ts";
import type { Brief } from "./brief.ts";

/**
 * Which of the tasks that are out an executor reports on. Its orders name it, or else the report does; one task alone
 * needs no naming. Two possible tasks are no answer, nor is one that the agent was not sent for: an agent of an earlier
 * task may speak again when it is asked something. A claim goes to the right task or to none.
 */
export function taskHeard(
  brief: Brief,
  list: TaskList,
  report: string,
  orders: string | undefined,
): string | undefined {
  const ids = brief.current.map((task) => task.id);
  const said = orders ?? report;
  const named = ids.filter((id) => mentions(said, id));
  if (named.length === 1) return named[0];
  if (named.length === 0 && list.tasks.some(({ id }) => mentions(said, id))) return undefined;
  return ids.length < 2 ? ids[0] : onlyOne(ids, report);
}

function onlyOne(ids: readonly string[], text: string): string | undefined {
  const named = ids.filter((id) => mentions(text, id));
  return named.length === 1 ? named[0] : undefined;
}

/** As a word of its own: 1.1 is not in 1.10, nor in 2.1.1. */
function mentions(text: string, id: string): boolean {
  for (let at = text.indexOf(id); at !== -1; at = text.indexOf(id, at + 1)) {
    const before = text.charAt(at - 1);
    const after = text.slice(at + id.length, at + id.length + 2);
    if (!/[\w.#]/.test(before) && !/^(?:\w|\.\d)/.test(after)) return true;
  }
  return false;
}
