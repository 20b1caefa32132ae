import { lstatSync } from "node:fs";
import { join } from "node:path";
import { listDirty } from "../../git/commit-paths.ts";

/**
 * Tells which files lie uncommitted in a tree as they did when this was called, such as the spec's documents or what a
 * setup wrote: they are not the work of whoever comes next.
 */
export function rememberGiven(top: string): (name: string) => boolean {
  const then = new Map(listDirty(top).map((name) => [name, printOf(join(top, name))]));
  return (name) => then.has(name) && then.get(name) === printOf(join(top, name));
}

/** No program can set the time of the last change of a file's status. */
function printOf(path: string): string {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat === undefined ? "" : `${stat.ino} ${stat.size} ${stat.ctimeMs}`;
}
