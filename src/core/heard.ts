import type { Brief } from "./brief.ts";

/**
 * Which of the tasks that are out an executor reports on. The report names it, or else the executor's orders did; one
 * task alone needs no naming. Two possible tasks are no answer: a claim goes to the right task or to none.
 */
export function taskHeard(
  brief: Brief,
  report: string,
  orders: string | undefined,
): string | undefined {
  const ids = brief.current.map((task) => task.id);
  if (ids.length < 2) return ids[0];
  return onlyOne(ids, orders ?? "") ?? onlyOne(ids, report);
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
