import { sameProjectIn, sameSpecIn } from "../../engine/run-trees.ts";
import type { TrunkPlace, TrunkRecord } from "../../engine/trunk-record.ts";
import { formatEntry } from "../../run/journal-lines.ts";
import type { Project } from "../../store/project.ts";
import { readOpenEntry } from "../../store/spec-files.ts";
import type { Spec } from "../../store/spec.ts";
import { appendToVault, type VaultSpec } from "../../store/vault.ts";

/** A run's own work tree, on its own branch. While it is open, its copy of the spec is authoritative. */
export interface Trunk {
  readonly place: TrunkPlace;
  readonly top: string;
  readonly branch: string;
  /** The user's commit at which it began. */
  readonly base: string;
  /** The project and the spec in this tree. */
  readonly project: Project;
  readonly spec: Spec;
  /** The spec in the user's tree. */
  readonly home: Spec;
  readonly isNew: boolean;
  /** The user's uncommitted files, which are not copied. */
  readonly leftOut: readonly string[];
  /** What the user should know, in sentences. */
  readonly notes: readonly string[];
}

export function trunkAt(
  place: TrunkPlace,
  record: TrunkRecord,
  home: Spec,
  details: Pick<Trunk, "isNew" | "leftOut" | "notes">,
): Trunk {
  const project = sameProjectIn(home.project, place.top);
  const { top, branch } = place;
  return {
    place,
    top,
    branch,
    base: record.base,
    project,
    spec: sameSpecIn(home, project),
    home,
    ...details,
  };
}

/**
 * Pauses the run in the user's tree, so that no client continues it there. Writes only to the vault, which counts as
 * much as the state file.
 */
export function pauseAtHome(home: VaultSpec, at: string): void {
  const last = readOpenEntry(home);
  if (last === undefined || last.held?.paused === true) return;
  const held = { ...last.held, paused: true };
  appendToVault(home, formatEntry({ at, event: "paused", note: ELSEWHERE, held, loop: last.loop }));
}

const ELSEWHERE = "a run works on it in its own work tree";

/** Takes that back, if nothing has happened since. */
export function unpauseAtHome(home: VaultSpec, at: string): void {
  const last = readOpenEntry(home);
  if (last?.event !== "paused" || last.note !== ELSEWHERE) return;
  const held = { ...last.held, paused: false };
  appendToVault(home, formatEntry({ at, event: "unpaused", held, loop: last.loop }));
}
