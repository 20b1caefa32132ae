import { ACCEPTED, FROM_TERMINAL, proofOf } from "../run/claim/settled.ts";
import { readAllEntries } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { requireUser, whence } from "./authority.ts";
import { type ClaimResult, settle } from "./claim-verdict.ts";
import { readSpecFacts } from "./read-facts.ts";
import { Refusal } from "./refusal.ts";
import type { Request } from "./request.ts";
import { writeOutcome } from "./summary.ts";
import { requireExecution, requireTask, withRun } from "./with-run.ts";

/**
 * The user says that a task is done, whatever its Verify says. Nobody else can. What is known about it stays: its
 * evidence and commits. After the run, receipt and summary are written again.
 */
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
      const task = requireTask(run.list, id);
      const { tasks } = readSpecFacts(spec, run.list);
      if (tasks[task.index]?.class === "proven")
        throw new Refusal("refused", `${task.id} is proven, which is more than your word`);
      const where = whence(request, spec);
      const note = where.from === undefined ? ACCEPTED : `accepted ${FROM_TERMINAL}`;
      const own = readAllEntries(spec).filter((entry) => entry.task === task.id);
      const known = task.checked ? proofOf(own) : undefined;
      const { evidence = [], commits, noChange } = known ?? {};
      const kept = {
        ...where,
        ...(commits === undefined ? {} : { commits }),
        ...(noChange === undefined ? {} : { noChange }),
      };
      const settled = settle(run, task, "accepted", evidence, [note], kept);
      if (!run.loop.open && settled.list.tasks.every(({ checked }) => checked))
        writeOutcome({ ...run, list: settled.list });
      return settled;
    },
    { anySession: true, isOver: true },
  );
}
