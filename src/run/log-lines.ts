import { quoteName, quotePath } from "../text/quote.ts";
import type { Disk } from "./decision.ts";
import type { HandOut } from "./hand-out.ts";
import { ALL_TASKS_COMPLETE } from "./signal.ts";
import type { State } from "./state.ts";

/**
 * What goes to standard error, where logs and scripts look for it. The words are those of the first versions; the line
 * for the user says more.
 */
export const stopped = (
  { layout, spec }: Disk,
  { index, total, phase, current }: HandOut,
  { taskIteration = 1 }: State,
): string => {
  const during = `Session stopped during ${layout.unit}: ${quoteName(spec.name)}`;
  if (phase !== undefined) return `${during} | Phase: ${phase}`;
  const task = total > 0 ? `${Math.min(index + 1, total)}/${total}` : "none";
  return `${during} | Task: ${task} | Attempt: ${current[0]?.attempt ?? taskIteration}`;
};

export const finished = (isClaimed: boolean): string =>
  `Execution complete, cleaned up state${isClaimed ? ` (${ALL_TASKS_COMPLETE} detected)` : ""}`;

export const limit = (max: number): string => `ERROR: Maximum global iterations (${max}) reached.`;

export function corrupt({ layout, spec }: Disk, file: string, why: string): string {
  const path = `${quotePath(spec.basePath)}/${file}`;
  const what =
    file === layout.stateFile ? `Corrupt state file at ${path}` : `${path} cannot be used`;
  return `WARNING: ${what}: ${why}`;
}

export const waiting = ({ paused }: State): string =>
  `${paused === true ? "paused" : "awaitingApproval"}=true, the agent may stop`;

export const heldUp = ({ held }: HandOut): string =>
  `${held.length === 1 ? "1 task waits" : `${held.length} tasks wait`} for the user, the agent may stop`;
