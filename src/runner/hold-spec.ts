import { refuseTaken } from "../engine/bind-run.ts";
import { specUnit } from "../store/lease.ts";
import type { Spec } from "../store/spec.ts";
import { sweepEarlier } from "./earlier-runs.ts";
import { localAssignments, thisWorker } from "./local-assignments.ts";
import { requireVault } from "./run-files.ts";

/** Does something with what a run has left. No run may begin meanwhile, and nobody else may do such a thing. */
export async function holdSpec<T>(
  home: Spec,
  as: "take" | "discard",
  work: (runs: string) => T | Promise<T>,
): Promise<T> {
  const { vault, runs } = requireVault();
  const assignments = localAssignments(vault);
  const claimed = await assignments.claim(specUnit(home.folder), thisWorker(as));
  if (claimed.kind === "taken") throw refuseTaken(claimed.by, home.name);
  try {
    // Agents that have outlived their run would write to what goes.
    await sweepEarlier(runs, home.project.root);
    return await work(runs);
  } finally {
    await assignments.release(claimed.assignment);
  }
}
