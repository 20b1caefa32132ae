import { addTo } from "../../text/group.ts";
import { type ForeignTask, type ForeignWhole, plain } from "./foreign.ts";

/** A task with a key of our own: ids of the file may be missing, or given twice. */
export type ConnectedTask = ForeignTask & {
  readonly key: number;
  /** The keys of those that come first. */
  readonly needs: readonly number[];
};

/** The keys that a name stands for: each entry is one task, or all parts of one. */
type Names = Map<string, Set<number>[]>;

/** Ids only say which task is meant by a dependency. `dropped` has those that say nothing, or too much. */
export function connectTasks(all: readonly ForeignTask[]): {
  readonly tasks: readonly ConnectedTask[];
  readonly dropped: readonly string[];
} {
  const { names, parts } = nameTasks(all);
  const dropped: string[] = [];
  const tasks = all.map((task, key): ConnectedTask => {
    const siblings = task.partOf === undefined ? undefined : parts.get(task.partOf);
    const [gone, unclear, needs] = [new Set<string>(), new Set<string>(), new Set<number>()];
    const add = (name: string, found: readonly Set<number>[] = []): void => {
      const [only, ...others] = found;
      if (only === undefined) gone.add(plain(name, 60));
      else if (others.length > 0) unclear.add(plain(name, 60));
      else for (const one of only) needs.add(one);
    };
    for (const name of new Set(task.partOf?.dependsOn)) add(name, names.get(name));
    // A number means the part of that number, if there is one.
    for (const name of new Set(task.dependsOn)) add(name, siblings?.get(name) ?? names.get(name));
    needs.delete(key);
    dropped.push(
      ...explain(task, gone, "which is not in the list"),
      ...explain(task, unclear, "which is the id of more than one task"),
    );
    return { ...task, key, needs: [...needs] };
  });
  return { tasks, dropped };
}

const explain = ({ title }: ForeignTask, names: ReadonlySet<string>, why: string): string[] =>
  names.size === 0 ? [] : [`"${title}" depends on ${[...names].slice(0, 5).join(", ")}, ${why}`];

function nameTasks(all: readonly ForeignTask[]) {
  const names: Names = new Map();
  const parts = new Map<ForeignWhole, Names>();
  const wholes = new Map<ForeignWhole, Set<number>>();
  for (const [key, { id, partOf }] of all.entries()) {
    if (partOf === undefined) {
      addName(names, id, new Set([key]));
      continue;
    }
    const siblings: Names = parts.get(partOf) ?? new Map();
    parts.set(partOf, siblings);
    addName(siblings, id, new Set([key]));
    if (id !== undefined && partOf.id !== undefined)
      addName(names, `${partOf.id}.${id}`, new Set([key]));
    const whole = wholes.get(partOf);
    // Whoever waits for a task waits for all of its parts.
    if (whole !== undefined) whole.add(key);
    else {
      const first = new Set([key]);
      wholes.set(partOf, first);
      addName(names, partOf.id, first);
    }
  }
  return { names, parts };
}

function addName(names: Names, name: string | undefined, keys: Set<number>): void {
  if (name !== undefined) addTo(names, name, keys);
}
