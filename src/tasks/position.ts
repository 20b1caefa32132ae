import { addTo } from "../text/group.ts";
import { parseFiles } from "./fields.ts";
import { groupOf } from "./groups.ts";
import type { Task, TaskList } from "./model.ts";
import { helpedIds, isParallel } from "./tags.ts";

/** How far a spec is, according to its boxes. The state's index is only a cache of this. */
export interface Position {
  /** Index of the next task. */
  readonly index: number;
  readonly total: number;
  readonly open: readonly Task[];
  /** Those that wait for the user, and those that do not. */
  readonly held: readonly Task[];
  readonly free: readonly Task[];
  /** What comes next: one task, or the open members of a parallel group. Empty if all that is open is held. */
  readonly current: readonly Task[];
}

export function locate(list: TaskList): Position {
  const open = list.tasks.filter((task) => !task.checked);
  const isHeld = ({ id }: Task): boolean => list.held?.has(id) === true;
  const held = list.held === undefined ? [] : open.filter(isHeld);
  const free = held.length === 0 ? open : open.filter((task) => !isHeld(task));
  const waiting = findWaiting(open);
  let current: readonly Task[] = [];
  for (const first of free) {
    const due = findDue(list, first, waiting);
    current = held.length === 0 ? due : due.filter((task) => !isHeld(task));
    if (current.length > 0) break;
  }
  return {
    index: (current[0] ?? open[0])?.index ?? list.tasks.length,
    total: list.tasks.length,
    open,
    held,
    free,
    current,
  };
}

/** Open tasks that wait for other open ones. */
interface Waiting {
  /** For each task that waits, what comes first, in the order of the file. */
  readonly on: ReadonlyMap<Task, readonly Task[]>;
  /** Everything that others wait for: it has no place of its own in the order. */
  readonly helpers: ReadonlySet<Task>;
}

function findDue(list: TaskList, first: Task, waiting: Waiting | undefined): readonly Task[] {
  if (waiting === undefined) return groupOf(list, first).filter((task) => !task.checked);
  if (!isParallel(first) || waiting.helpers.has(first)) return [findInnermost(first, waiting)];
  const members = findGroupAround(list, first, waiting).filter((task) => !task.checked);
  // A fix works on its member's files and disturbs no other. One written by hand may, and then it waits.
  const due = new Set(members.map((task) => findInnermost(task, waiting)));
  return dropSharingFiles(list, [...due]).sort((a, b) => a.index - b.index);
}

function findWaiting(open: readonly Task[]): Waiting | undefined {
  const helping = open.filter((task) => task.tags.length > 0 && helpedIds(task).length > 0);
  if (helping.length === 0) return undefined;
  const byId = new Map<string, Task>();
  for (const task of open) {
    const id = task.id.toUpperCase();
    // A box without an id is named by its position, which means another task after the next edit.
    if (!id.startsWith("#") && !byId.has(id)) byId.set(id, task);
  }
  const on = new Map<Task, Task[]>();
  const helpers = new Set<Task>();
  for (const helper of helping) {
    for (const id of helpedIds(helper)) {
      const task = byId.get(id);
      if (task === undefined || task === helper) continue;
      addTo(on, task, helper);
      helpers.add(helper);
    }
  }
  return helpers.size === 0 ? undefined : { on, helpers };
}

/** A fix of a fix comes first. Two tasks that fix each other, as somebody may write by hand, must not hang us. */
function findInnermost(task: Task, { on }: Waiting): Task {
  const seen = new Set([task]);
  let due = task;
  for (;;) {
    const next = on.get(due)?.find((helper) => !seen.has(helper));
    if (next === undefined) return due;
    seen.add(next);
    due = next;
  }
}

/** The parallel group as it was before fixes and parts were put between its members. */
function findGroupAround(list: TaskList, task: Task, { helpers }: Waiting): Task[] {
  const own = list.tasks.filter(
    (one) =>
      one.phase === task.phase &&
      !helpers.has(one) &&
      !(one.checked && one.tags.length > 0 && helpedIds(one).length > 0),
  );
  const tasks = own.map((one, index) => ({ ...one, index }));
  const anchor = tasks[own.indexOf(task)] as Task;
  return groupOf({ ...list, tasks }, anchor).map(({ index }) => own[index] as Task);
}

function dropSharingFiles(list: TaskList, tasks: readonly Task[]): Task[] {
  const files = new Set<string>();
  return tasks.filter((task) => {
    const own = parseFiles(list, task);
    if (own.some((file) => files.has(file))) return false;
    for (const file of own) files.add(file);
    return true;
  });
}
