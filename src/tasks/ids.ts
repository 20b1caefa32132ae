import type { TaskList } from "./model.ts";

/**
 * `1.2`, `3.6a`, `1.2.b`, `2A.1`, `T012`, `T-3b`, `T1.2`, `V4`, `V4b`, `VF`, `VE2`, or any number. The letters after a
 * number go to "j" only: in `1.5s`, `2.5k` and `1.5x` they are something else.
 */
export const ID_SHAPE = String.raw`T-?\d+(?:\.\d+)*[A-Za-z]?|V(?:F|E?\d+[a-j]?)|\d+[A-Za-j]?(?:\.(?:\d+[A-Za-j]?|[A-Za-j]))*`;

/**
 * Unused ids for tasks that belong to `id`: `1.2.1`, `1.2.2` … for 1.2, `3.6a.1` … for 3.6a; `T012a` … for T012, as
 * Spec Kit has it, but `T1.2.1` … for T1.2; the next free number for `V4`. There are none for a task without an id of its
 * own, or if all letters are used up.
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
  const [, series] = /^(VE|V)(?:F|\d+[a-j]?)$/.exec(id) ?? [];
  if (base !== undefined) {
    for (const letter of "abcdefghijklmnopqrstuvwxyz") yield base + letter;
  } else if (series !== undefined || /^\d|^T.*\.\d+$/.test(id)) {
    const head = series ?? `${id}.`;
    for (let n = 1; ; n++) yield head + n;
  }
}
