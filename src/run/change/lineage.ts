import { findTask } from "../../tasks/find.ts";
import type { Task, TaskList } from "../../tasks/model.ts";
import { helpedIds } from "../../tasks/tags.ts";
import { isObject } from "../../text/schema.ts";
import type { State } from "../state.ts";

/** How a task came to be, counted back to one that was planned. */
export interface Lineage {
  /** How often a fix was made for it or for what it comes from. */
  readonly fixes: number;
  /** How often it, or what it comes from, was split off or added. */
  readonly changes: number;
}

/** Tags tell, whatever became of the state; what was added beside a task only the state knows. */
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

/** For each task that a change brought, the task that was changed; ids in upper case. */
function sourcesOf({ modificationMap = {} }: State): Map<string, string> {
  const sources = new Map<string, string>();
  for (const [source, { modifications }] of Object.entries(modificationMap)) {
    for (const one of Array.isArray(modifications) ? modifications : []) {
      const id = isObject(one) ? one["id"] : undefined;
      // A box without an id is called by its place, where another may stand by now.
      if (typeof id === "string" && !id.startsWith("#")) sources.set(id.toUpperCase(), source);
    }
  }
  return sources;
}
