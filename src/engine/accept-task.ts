import { ACCEPTED, FROM_TERMINAL } from "../run/claim/receipt.ts";
import type { Spec } from "../store/spec.ts";
import { requireUser, whence } from "./authority.ts";
import { type ClaimResult, settle } from "./claim-verdict.ts";
import type { Request } from "./request.ts";
import { requireExecution, requireTask, withRun } from "./with-run.ts";

/** The user says that a task is done, whatever its Verify says. Nobody else can. */
export function acceptTask(
  request: Request,
  spec: Spec,
  id: string,
): Extract<ClaimResult, { kind: "done" }> {
  requireUser(request, spec, "accept", id);
  return withRun(
    request,
    spec,
    (run) => {
      requireExecution(run);
      const where = whence(request, spec);
      const note = where.from === undefined ? ACCEPTED : `accepted ${FROM_TERMINAL}`;
      return settle(run, requireTask(run.list, id), "accepted", [], [note], where);
    },
    { anySession: true },
  );
}
