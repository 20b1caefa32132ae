import { readOpenEntry } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { isSameFolder } from "../store/vault-place.ts";
import { isOnlyRunningSpec, listRunningSpecs, type VaultSpec } from "../store/vault.ts";

/** Nobody works longer on a task without a word in the journal, unless their session was killed. */
const QUIET_MS = 60 * 60_000;

/** Another spec of the project that is being worked on right now, by another session in the same work tree. */
export const findNeighbour = (spec: Spec): VaultSpec | undefined =>
  isOnlyRunningSpec(spec)
    ? undefined
    : listRunningSpecs(spec.project).find(
        (one) => !isSameFolder(one.folder, spec.folder) && sessionAt(one) !== undefined,
      );

/** Whether another session works on a spec right now. */
export function isElsewhere(spec: VaultSpec, session: string | null): boolean {
  const at = sessionAt(spec);
  return at !== undefined && at !== null && at !== session;
}

/** The session that works on a spec right now, null if it is not bound yet; undefined if nobody works on it. */
function sessionAt(spec: VaultSpec): string | null | undefined {
  const last = readOpenEntry(spec);
  if (last === undefined || last.loop.told !== null) return undefined;
  const { held, event, at, loop } = last;
  const isOver = event === "service-error" || event === "session-ended";
  const waits = held?.paused === true || held?.awaitingApproval === true;
  const isQuiet = Date.now() - Date.parse(at) > QUIET_MS;
  return isOver || waits || isQuiet ? undefined : loop.session;
}
