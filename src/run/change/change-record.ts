import { groupBy } from "../../text/group.ts";
import type { Entry } from "../journal.ts";
import type { Raw, State } from "../state.ts";
import type { RunStanding } from "./insert-tasks.ts";

/** Boxes without an id go by their position, which changes: they share one count. */
export const keyOf = (id: string): string => (id.startsWith("#") ? "#" : id);

export const countOf = (record: Raw | undefined): number => {
  const count = record?.["count"];
  return typeof count === "number" ? count : 0;
};

/**
 * The state with all changes that this run has made to its tasks. The agent could clear the map in the state and then
 * add tasks without end.
 */
export function restoreChanges({ state, loop, entries = [] }: RunStanding): State {
  const { modificationMap = {} } = state;
  const own = entries.filter(({ loop: { run }, event }) => run === loop.run && isChange(event));
  const made = groupBy(own, ({ task = "" }) => keyOf(task));
  const restored = [...made].map(([key, changes]) => {
    const record = modificationMap[key];
    const old = modificationsOf(record);
    const known = new Set(old.map((one) => (one as Raw | null)?.["id"]));
    const lost = changes.flatMap(broughtBy).filter(({ id }) => !known.has(id));
    const count = Math.max(countOf(record), changes.length);
    return [key, { ...record, count, modifications: [...old, ...lost] }] as const;
  });
  return { ...state, modificationMap: { ...modificationMap, ...Object.fromEntries(restored) } };
}

export function modificationsOf(record: Raw | undefined): readonly unknown[] {
  const all = record?.["modifications"];
  return Array.isArray(all) ? (all as unknown[]) : [];
}

const isChange = (event: string): boolean => event === "split" || event === "added";

/** The tasks that a change added, from the start of its journal line: `1.1.1, 1.1.2: …`. */
function broughtBy({ event, note = "" }: Entry): { id: string; type: string }[] {
  const [ids = "", rest = ""] = note.split(": ", 2);
  const added = rest === "before" ? "ADD_PREREQUISITE" : "ADD_FOLLOWUP";
  return ids.split(", ").map((id) => ({ id, type: event === "split" ? "SPLIT_TASK" : added }));
}
