import { basename, dirname, join, relative, resolve } from "node:path";
import { slashed } from "../git/working-tree.ts";
import { realPathOf } from "../store/vault-place.ts";

/** The files that each task's agents named with their edit tools, relative to the project. */
export interface Edits {
  readonly note: (task: string, files: readonly string[]) => void;
  readonly of: (task: string) => ReadonlySet<string>;
}

export function openEdits(root: string): Edits {
  const top = realPathOf(root);
  const byTask = new Map<string, Set<string>>();
  const of = (task: string): Set<string> => byTask.get(task) ?? new Set();
  // Agents name files by whichever way they came, even if the file itself is gone.
  const nameOf = (file: string): string => {
    const path = resolve(top, file);
    return slashed(relative(top, join(realPathOf(dirname(path)), basename(path))));
  };
  return {
    of,
    note: (task, files) => void byTask.set(task, new Set([...of(task), ...files.map(nameOf)])),
  };
}
