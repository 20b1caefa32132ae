import { ACCEPTED, FROM_TERMINAL, proofOf } from "../run/claim/settled.ts";
import { readAllEntries } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import type { Task } from "../tasks/model.ts";
import { requireUser, whence } from "./authority.ts";
import { type ClaimResult, settle } from "./claim-verdict.ts";
import { readSpecFacts } from "./read-facts.ts";
import { Refusal } from "./refusal.ts";
import type { Request } from "./request.ts";
import { writeOutcome } from "./summary.ts";
import { requireExecution, requireTask, type Run, withRun } from "./with-run.ts";

type Accepted = Extract<ClaimResult, { kind: "done" }>;

/**
 * The user says that tasks are done, whatever their Verify says. Nobody else can. What is known about them stays: their
 * evidence and commits. After the run, receipt and summary are written again, and committed once for all of them.
 */
export function acceptTasks(
  request: Request,
  spec: Spec,
  ids: readonly [string, ...string[]],
): readonly Accepted[] {
  for (const id of ids) requireUser(request, spec, "accept", id);
  const over = { anySession: true, isOver: true };
  // All of them or none.
  withRun(request, spec, (run) => ids.forEach((id) => requireUnproven(run, id)), over);
  return ids.map((id, index) =>
    withRun(
      request,
      spec,
      (run) => {
        const accepted = accept(request, run, requireUnproven(run, id));
        const { list } = accepted;
        const isLast = index === ids.length - 1;
        if (isLast && !run.loop.open && list.tasks.every(({ checked }) => checked))
          writeOutcome({ ...run, list });
        return accepted;
      },
      over,
    ),
  );
}

function requireUnproven(run: Run, id: string): Task {
  requireExecution(run);
  const task = requireTask(run.list, id);
  const { tasks } = readSpecFacts(run.spec, run.list);
  if (tasks[task.index]?.class === "proven")
    throw new Refusal("refused", `${task.id} is proven, which is more than your word`);
  return task;
}

function accept(request: Request, run: Run, task: Task): Accepted {
  const { spec } = run;
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
  return settle(run, task, "accepted", evidence, [note], kept);
}
