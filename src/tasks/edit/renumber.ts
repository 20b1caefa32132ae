import type { Task, TaskList } from "../model.ts";

/**
 * New ids in a new order, by index: `x.1`, `x.2` … for each x, and `T001` … through the file, with as many digits as
 * before. A sub-task and a fix follow their task: 1.4.1 becomes 1.2.1 with it. `V4` and boxes without an id stay.
 */
export function planIds(list: TaskList, order: readonly number[]): string[] {
  const tasks = order.map((index) => list.tasks[index] as Task);
  const fresh = list.tasks.map(({ id }) => id);
  const renamed = new Map<string, string>();
  const rename = ({ index, id }: Task, to: string): void => {
    fresh[index] = to;
    if (!renamed.has(id)) renamed.set(id, to);
  };

  const numbered = tasks.filter(({ id }) => /^\d+(?:\.\d+)*$/.test(id));
  const starts = new Map<string, number>();
  for (const { id } of numbered) if (/(?:^|\.)0+$/.test(id)) starts.set(headOf(id), 0);
  // By the new head: a number that is given twice would be a duplicate id.
  const next = new Map<string, number>();
  const depthOf = ({ id }: Task): number => id.split(".").length;
  // Parents first. The sort is stable: within a depth, the order is the new one.
  for (const task of numbered.sort((a, b) => depthOf(a) - depthOf(b))) {
    const old = headOf(task.id);
    const head = renamed.get(old) ?? old;
    const number = next.get(head) ?? starts.get(old) ?? 1;
    next.set(head, number + 1);
    rename(task, head === "" ? String(number) : `${head}.${number}`);
  }

  const lettered = tasks.flatMap((task) => {
    const [, head, digits, letter] = /^(T-?)(\d+)([A-Za-z]?)$/.exec(task.id) ?? [];
    return head === undefined || digits === undefined ? [] : [{ task, head, digits, letter }];
  });
  let number = lettered.reduce((least, { digits }) => Math.min(least, Number(digits)), Infinity);
  for (const { task, head, digits, letter } of lettered) {
    if (letter === "") rename(task, head + String(number++).padStart(digits.length, "0"));
  }
  const taken = new Set(fresh);
  for (const { task, head, digits, letter = "" } of lettered) {
    const base = letter === "" ? undefined : renamed.get(head + digits);
    if (base === undefined) continue;
    let at = letter.charCodeAt(0);
    while (taken.has(base + String.fromCharCode(at)) && fresh[task.index] !== base + letter) at++;
    rename(task, base + String.fromCharCode(at));
    taken.add(base + String.fromCharCode(at));
  }
  return fresh;
}

const headOf = (id: string): string => id.slice(0, Math.max(0, id.lastIndexOf(".")));
