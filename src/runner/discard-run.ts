import { refuseTaken } from "../engine/bind-run.ts";
import type { Spec } from "../store/spec.ts";
import { claimLease, thisWorker } from "./claim-lease.ts";
import { sweepEarlier } from "./earlier-runs.ts";
import { readEvents } from "./read-events.ts";
import { appendEvent, isLive, requireVault, updateRun } from "./run-files.ts";
import { listRuns } from "./run-list.ts";
import { type Discard, planDiscard } from "./trees/discard.ts";

/** Discards a run, if `mayDiscard` says so once it knows what goes. No run may begin meanwhile. */
export async function discardRun(
  home: Spec,
  at: string,
  mayDiscard: (plan: Discard) => Promise<boolean>,
): Promise<{ readonly plan: Discard; readonly isDone: boolean }> {
  const { vault, runs } = requireVault();
  const lease = claimLease(vault, home.folder, thisWorker("discard"));
  if ("takenBy" in lease) throw refuseTaken(lease.takenBy, home.name);
  try {
    const { root } = home.project;
    // Agents that have outlived their run would write to what goes.
    await sweepEarlier(runs, root);
    const plan = planDiscard(home, at);
    if (!(await mayDiscard(plan))) return { plan, isDone: false };
    plan.carryOut();
    noteDiscarded(runs, home, at);
    return { plan, isDone: true };
  } finally {
    lease.release();
  }
}

/** What a killed run used does not count towards the next one, which does not go on where it was. */
function noteDiscarded(runs: string, { name, project }: Spec, at: string): void {
  for (const run of listRuns(runs, project.root)) {
    if (!run.info.specs.includes(name) || isLive(run)) continue;
    updateRun(run, { discarded: at });
    if (readEvents(run).some(({ kind }) => kind === "run-ended")) continue;
    appendEvent(run, {
      at,
      kind: "run-ended",
      status: "stopped",
      done: 0,
      total: 0,
      text: "discarded",
    });
  }
}
