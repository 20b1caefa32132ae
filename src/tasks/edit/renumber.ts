import type { Task, TaskList } from "../model.ts";

/**
 * New ids in a new order, by index: `x.1`, `x.2` … for each x, and `T001` … through the file, with as many digits as
 * before. A sub-task and a fix follow their task: with 1.4, 1.4.1 becomes 1.2.1 and 1.4a becomes 1.2a. `V4`, `2A.1`,
 * `T1.2` and boxes without an id stay.
 */
export function planIds(list: TaskList, order: readonly number[]): string[] {
  const tasks = order.map((index) => list.tasks[index] as Task);
  const fresh = list.tasks.map(({ id }) => id);
  const renamed = new Map<string, string>();
  const rename = ({ index, id }: Task, to: string): void => {
    fresh[index] = to;
    if (!renamed.has(id)) renamed.set(id, to);
  };

  const own = new Set(tasks.map(({ id }) => id));
  // 3.6a goes with 3.6. Without one, the first of its letters takes a number for them all.
  const numbered = tasks.flatMap((task) => {
    const [, id, letter] = /^(\d+(?:\.\d+)*)([A-Za-z]?)$/.exec(task.id) ?? [];
    if (id === undefined || (letter !== "" && own.has(id))) return [];
    own.add(id);
    return [{ task, id, isOwn: letter === "" }];
  });
  const starts = new Map<string, number>();
  for (const { id } of numbered) if (/(?:^|\.)0+$/.test(id)) starts.set(headOf(id), 0);
  // By the new head: a number that is given twice would be a duplicate id.
  const next = new Map<string, number>();
  const depthOf = ({ id }: { id: string }): number => id.split(".").length;
  // Parents first. The sort is stable: within a depth, the order is the new one.
  for (const { task, id, isOwn } of numbered.sort((a, b) => depthOf(a) - depthOf(b))) {
    const old = headOf(id);
    const head = renamed.get(old) ?? old;
    const number = next.get(head) ?? starts.get(old) ?? 1;
    next.set(head, number + 1);
    const to = head === "" ? String(number) : `${head}.${number}`;
    if (isOwn) rename(task, to);
    else renamed.set(id, to);
  }

  const counted = tasks.flatMap((task) => {
    const [, head = "", digits] = /^(T-?)(\d+)$/.exec(task.id) ?? [];
    return digits === undefined ? [] : [{ task, head, digits }];
  });
  const letters = tasks.flatMap((task) => {
    const [, id = "", letter] = /^(T-?\d+|\d+(?:\.\d+)*)([A-Za-z])$/.exec(task.id) ?? [];
    return letter === undefined ? [] : [{ task, id, letter }];
  });
  const numbers = [...counted.map(({ task }) => task), ...letters.map(({ task }) => task)]
    .filter(({ id }) => id.startsWith("T"))
    .map(({ id }) => Number(/\d+/.exec(id)?.[0]));
  let number = numbers.reduce((least, one) => Math.min(least, one), Infinity);
  for (const { task, head, digits } of counted) {
    rename(task, head + String(number++).padStart(digits.length, "0"));
  }

  const moving = letters.filter(({ id }) => renamed.has(id));
  const leaving = new Set(moving.map(({ task }) => task.index));
  const taken = new Set(fresh.filter((_, index) => !leaving.has(index)));
  for (const { task, id, letter } of moving) {
    const base = renamed.get(id) as string;
    let at = letter.charCodeAt(0);
    while (taken.has(base + String.fromCharCode(at))) at++;
    // An id that is used twice gets the next letter, if there is one.
    const isLetter = (base.startsWith("T") ? /[A-Za-z]/ : /[A-Za-j]/).test(String.fromCharCode(at));
    const to = base + (isLetter ? String.fromCharCode(at) : letter);
    rename(task, to);
    taken.add(to);
  }
  for (const task of tasks) {
    const [, head = "", rest] = /^(\d[\d.]*[A-Za-z])(\..+)$/.exec(task.id) ?? [];
    const base = rest === undefined ? undefined : renamed.get(head);
    if (base !== undefined) rename(task, base + rest);
  }
  return fresh;
}

const headOf = (id: string): string => id.slice(0, Math.max(0, id.lastIndexOf(".")));
