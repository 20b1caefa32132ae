import type { Spec } from "../store/spec.ts";
import { requireUserFor } from "./authority.ts";
import type { Request } from "./request.ts";
import { withRun } from "./with-run.ts";

/** Ends a pause of a run that somebody still drives: unlike `resume`, which takes the run over. */
export function unpauseRun(request: Request, spec: Spec): boolean {
  requireUserFor(request, spec.project.layout, "resume");
  return withRun(
    request,
    spec,
    ({ state, loop, apply }) => {
      if (state.paused !== true) return false;
      apply({ event: "approved", note: "the pause is over", loop, state: { paused: false } });
      return true;
    },
    { anySession: true },
  );
}
