import type { Leaf } from "./blocks.ts";
import { isProse } from "./lines.ts";
import {
  continueMention,
  findMentions,
  ID,
  type Ids,
  idsOf,
  maskCode,
  type Reference,
} from "./references.ts";
import type { Task, TaskList } from "./types.ts";

/**
 * New ids in a new order: `x.1`, `x.2` … behind each number that stands in front, `T001` … through the
 * file, in the width that is there. A sub-task and a fix follow their task: 1.4.1 becomes 1.2.1 with it.
 * `V4` and boxes without an id keep what they have.
 */
export function planIds(list: TaskList, order: readonly number[]): string[] {
  const fresh = list.tasks.map(({ id }) => id);
  const tasks = order.map((index) => list.tasks[index] as Task);
  const renamed = new Map<string, string>();
  const rename = (task: Task, id: string): void => {
    fresh[task.index] = id;
    // Who refers to an id that stands twice means the open one, as everywhere.
    const known = renamed.has(task.id.toLowerCase());
    if (!known) renamed.set(task.id.toLowerCase(), id);
  };

  const numbered = tasks.filter(({ id }) => /^\d+(?:\.\d+)*$/.test(id));
  const starts = new Map<string, number>();
  for (const { id } of numbered) if (/(?:^|\.)0+$/.test(id)) starts.set(headOf(id), 0);
  const counters = new Map<string, number>();
  const depths = Map.groupBy(numbered, ({ id }) => id.split(".").length);
  for (const depth of [...depths.keys()].sort((a, b) => a - b)) {
    for (const task of depths.get(depth) ?? []) {
      const old = headOf(task.id);
      const head = renamed.get(old) ?? old;
      const number = counters.get(head) ?? starts.get(old) ?? 1;
      counters.set(head, number + 1);
      rename(task, head === "" ? String(number) : `${head}.${number}`);
    }
  }

  const lettered = tasks.filter(({ id }) => /^T-?\d+$/.test(id));
  let number = Math.min(...lettered.map(({ id }) => numberOf(id)), Infinity);
  for (const task of lettered) {
    const [, head = "", digits = ""] = /^(T-?)(\d+)$/.exec(task.id) ?? [];
    rename(task, head + String(number++).padStart(digits.length, "0"));
  }
  for (const task of tasks) {
    const [, base, letter] = /^(T-?\d+)([A-Za-z])$/.exec(task.id) ?? [];
    const head = base === undefined ? undefined : renamed.get(base.toLowerCase());
    if (head !== undefined) rename(task, head + letter);
  }
  return fresh;
}

const headOf = (id: string): string => id.slice(0, Math.max(0, id.lastIndexOf(".")));
const numberOf = (id: string): number => Number(id.replace(/\D/g, ""));
