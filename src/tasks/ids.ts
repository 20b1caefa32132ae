import type { TaskList } from "./model.ts";

/** `1.2`, `T012`, `T-3b`, `V4`, `VF`, `VE2`, or any number. */
export const ID_SHAPE = String.raw`T-?\d+[A-Za-z]?|V(?:F|E?\d+)|\d+(?:\.\d+)*`;

/**
 * Unused ids for tasks that belong to `id`: `1.2.1`, `1.2.2` … for 1.2; `T012a` … for
 * T012, since the grammar has no `T012.1`; the next free number for `V4`. There are none for a task without an id of
 * its own, or if all letters are used up.
 */
export function nextSubIds(list: TaskList, id: string, count: number): string[] {
  const taken = new Set(list.tasks.map((task) => task.id.toLowerCase()));
  const found: string[] = [];
  for (const next of generateSubIds(id)) {
    if (found.length >= count) break;
    if (!taken.has(next.toLowerCase())) found.push(next);
  }
  return found;
}

/** The id of the next `[FIX id]`. */
export const nextFixId = (list: TaskList, id: string): string | undefined =>
  nextSubIds(list, id, 1)[0];

function* generateSubIds(id: string): Generator<string> {
  const [, base] = /^(T-?\d+)[A-Za-z]?$/.exec(id) ?? [];
  const [, series] = /^(VE|V)(?:F|\d+)$/.exec(id) ?? [];
  if (base !== undefined) {
    for (const letter of "abcdefghijklmnopqrstuvwxyz") yield base + letter;
  } else if (series !== undefined || /^\d/.test(id)) {
    const head = series ?? `${id}.`;
    for (let n = 1; ; n++) yield head + n;
  }
}
