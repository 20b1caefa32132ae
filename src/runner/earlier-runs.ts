import { RUN_MARK, sweepMark } from "../agents/process/sweep.ts";
import type { RunEvent } from "./events.ts";
import { readEvents } from "./read-events.ts";
import { isLive, updateRun } from "./run-files.ts";
import { listRuns } from "./run-list.ts";

/** Ends agents of dead runs: a runner may have been killed with its guard, or the machine switched off. */
export async function sweepEarlier(runs: string, project: string): Promise<void> {
  for (const run of listRuns(runs, project))
    if (run.info.ended === null && !isLive(run)) {
      await sweepMark(RUN_MARK, run.info.run);
      updateRun(run, { ended: new Date().toISOString(), status: "stopped" });
    }
}

/** The events of killed runs of this spec, back to the last run that ended by itself. */
export function readKilled(
  runs: string,
  project: string,
  specs: readonly string[],
): readonly RunEvent[] {
  const killed: (readonly RunEvent[])[] = [];
  for (const run of listRuns(runs, project)) {
    const isSame =
      run.info.specs.length === specs.length && specs.every((one) => run.info.specs.includes(one));
    if (!isSame || isLive(run)) continue;
    const events = readEvents(run);
    // Refused before it did anything, for example because another run was at work.
    if (!events.some(({ kind }) => kind === "attempt-started")) continue;
    if (events.some(({ kind }) => kind === "run-ended")) break;
    killed.unshift(events);
  }
  return killed.flat();
}
