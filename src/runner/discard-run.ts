import type { Spec } from "../store/spec.ts";
import { holdSpec } from "./hold-spec.ts";
import { readEvents } from "./read-events.ts";
import { appendEvent, isLive, updateRun } from "./run-files.ts";
import { listRuns } from "./run-list.ts";
import { type Discard, planDiscard } from "./trees/discard.ts";

/** Discards a run, if `mayDiscard` says so once it knows what goes. No run may begin meanwhile. */
export async function discardRun(
  home: Spec,
  at: string,
  mayDiscard: (plan: Discard) => Promise<boolean>,
): Promise<{ readonly plan: Discard; readonly isDone: boolean }> {
  return holdSpec(home, "discard", async (runs) => {
    const shown = planDiscard(home, at);
    if (!(await mayDiscard(shown))) return { plan: shown, isDone: false };
    // The user may have worked in the tree before they answered.
    const plan = planDiscard(home, at);
    plan.carryOut();
    noteDiscarded(runs, home, at);
    return { plan, isDone: true };
  });
}

/** What a killed run used does not count towards the next one, which does not go on where it was. */
function noteDiscarded(runs: string, { name, project }: Spec, at: string): void {
  for (const run of listRuns(runs, project.root)) {
    if (!run.info.specs.includes(name) || isLive(run)) continue;
    updateRun(run, { discarded: at });
    const events = readEvents(run);
    if (events.some(({ kind }) => kind === "run-ended")) continue;
    appendEvent(run, {
      run: run.info.run,
      seq: (events.at(-1)?.seq ?? 0) + 1,
      at,
      kind: "run-ended",
      status: "stopped",
      done: 0,
      total: 0,
      text: "discarded",
    });
  }
}
