import { findMeddling } from "../run/claim/list-marks.ts";
import { withLockAsync } from "../store/lock.ts";
import { readAllEntries, readTasks, writeTasks } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { readAgreement } from "../store/vault.ts";

/**
 * Remembers the boxes, tags and Verify lines of a spec while a command runs that is not ours. The returned function puts
 * back what no command of ours has changed since, and says what that was.
 */
export function keepMarks(spec: Spec): () => Promise<readonly string[]> {
  // The journal first: what is ticked in between is in the list, and maybe also new in the journal.
  const known = readAllEntries(spec).length;
  const before = readTasks(spec);
  return async () => {
    if (before.kind !== "ok" || isSame(spec, before.list.lines)) return [];
    return withLockAsync(spec.lock, () => {
      const now = readTasks(spec);
      const entries = readAllEntries(spec);
      const found = findMeddling(before.list, now.kind === "ok" ? now.list : undefined, {
        entries,
        since: entries.slice(known),
        given: readAgreement(spec)?.given,
      });
      if (found !== undefined) writeTasks(spec, found.text);
      return found?.changed ?? [];
    });
  };
}

function isSame(spec: Spec, lines: readonly string[]): boolean {
  const now = readTasks(spec);
  return now.kind === "ok" && now.list.lines.join("") === lines.join("");
}
