import { readOpenEntry } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { isSameFolder } from "../store/vault-place.ts";
import { isOnlyRunningSpec, listRunningSpecs, type VaultSpec } from "../store/vault.ts";

/** Nobody works longer on a task without a word in the journal, unless their session was killed. */
const QUIET_MS = 60 * 60_000;

/** Another spec of the project that is being worked on right now, by another session in the same work tree. */
export function findNeighbour(spec: Spec): VaultSpec | undefined {
  if (isOnlyRunningSpec(spec)) return undefined;
  return listRunningSpecs(spec.project).find((one) => {
    const last = isSameFolder(one.folder, spec.folder) ? undefined : readOpenEntry(one);
    if (last === undefined || last.loop.told !== null) return false;
    const { held, event, at } = last;
    const isOver = event === "service-error" || event === "session-ended";
    const waits = held?.paused === true || held?.awaitingApproval === true;
    return !isOver && !waits && Date.now() - Date.parse(at) < QUIET_MS;
  });
}
