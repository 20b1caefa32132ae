import { EXECUTION } from "../layouts/layout.ts";
import { readState } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { prepareRun } from "./prepare-run.ts";
import type { Request } from "./request.ts";
import { settleTicks } from "./settle-ticks.ts";

/**
 * Checks boxes that were ticked by hand, and gets the next tasks ready. Returns the boxes that were cleared. Before
 * execution there is nothing to settle.
 */
export async function settleRun(
  request: Request,
  spec: Spec,
  /** As for `prepareRun`. */
  { runsChecks = true }: { readonly runsChecks?: boolean } = {},
): Promise<readonly string[]> {
  const file = readState(spec);
  if (file.kind !== "ok" || file.state.phase !== EXECUTION) return [];
  const cleared = await settleTicks(request, spec);
  if (!(await prepareRun(request, spec, { runsChecks }))) return cleared;
  // That may have been the last task, and at the end of a list there is more to settle.
  const late = await settleTicks(request, spec);
  await prepareRun(request, spec);
  return [...new Set([...cleared, ...late])];
}
