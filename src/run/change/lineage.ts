import { findTask } from "../../tasks/find.ts";
import type { Task, TaskList } from "../../tasks/model.ts";
import { helpedIds } from "../../tasks/tags.ts";
import { isObject } from "../../text/schema.ts";
import type { State } from "../state.ts";

/** How a task came about, counted back to one that was planned. */
export interface Lineage {
  /** How many fixes led to it. */
  readonly fixes: number;
  /** How many splits and additions led to it. */
  readonly changes: number;
}

/** Tags survive whatever happens to the state; only the state knows what was added next to a task. */
export function lineageOf(list: TaskList, state: State, task: Task): Lineage {
  const sources = sourcesOf(state);
  const seen = new Set<string>();
  let fixes = 0;
  let changes = 0;
  for (let at: Task | undefined = task; at !== undefined;) {
    const id = at.id.toUpperCase();
    if (seen.has(id)) break;
    seen.add(id);
    const [fixed] = helpedIds(at, "FIX");
    const source = fixed ?? helpedIds(at, "PART")[0] ?? sources.get(id);
    if (source === undefined) break;
    if (fixed === undefined) changes++;
    else fixes++;
    at = findTask(list, source);
  }
  return { fixes, changes };
}

/** For each task that a change added, the task that was changed; ids in upper case. */
function sourcesOf({ modificationMap = {} }: State): Map<string, string> {
  const sources = new Map<string, string>();
  for (const [source, { modifications }] of Object.entries(modificationMap)) {
    for (const one of Array.isArray(modifications) ? modifications : []) {
      const id = isObject(one) ? one["id"] : undefined;
      // A box without an id goes by its position, where there may be another one by now.
      if (typeof id === "string" && !id.startsWith("#")) sources.set(id.toUpperCase(), source);
    }
  }
  return sources;
}
