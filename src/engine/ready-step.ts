import { renderCoordinator } from "../prompts/render.ts";
import { findInterruption } from "../run/claim/task-history.ts";
import type { HandOut } from "../run/hand-out.ts";
import type { Entry } from "../run/journal.ts";
import { isWaiting } from "../run/state.ts";
import { readAllEntries } from "../store/spec-files.ts";
import type { Task } from "../tasks/model.ts";
import { locate } from "../tasks/position.ts";
import { prepareRun } from "./prepare-run.ts";
import { MAX_NAMED, readWork } from "./read-work.ts";
import { writeReceipt } from "./receipt.ts";
import type { Request } from "./request.ts";
import { settleTicks } from "./settle-ticks.ts";
import type { Step } from "./step.ts";
import { handOutOf, type Run, withRun } from "./with-run.ts";

/** A run that has just begun, once its first tasks are ready: what that shows is part of what is handed out. */
export async function readyStep(request: Request, step: Step): Promise<Step> {
  if (step.kind !== "run") return step;
  const { spec } = step;
  await settleTicks(request, spec);
  await prepareRun(request, spec);
  return withRun(request, spec, (run) => {
    const brief = withInterruptions(run, readAllEntries(spec));
    const { open, total } = locate(run.list);
    if (isWaiting(run.state)) {
      const fact = run.state.approvalReason ?? "the run waits for the user's approval";
      return { kind: "user-decides", spec, fact };
    }
    if (open.length === 0) {
      writeReceipt(spec, run.list);
      const loop = { ...run.loop, open: false };
      run.apply({ event: "finished", loop, state: "remove" });
      return { kind: "nothing-to-do", spec, total };
    }
    return {
      ...step,
      prompt: renderCoordinator(spec.project.layout, brief, open.length),
      open: open.length,
      total,
      next: brief.current.map(({ id }) => id),
    };
  });
}

/** What a session that is gone had begun, and what lies uncommitted from it. */
function withInterruptions(run: Run, entries: readonly Entry[]): HandOut {
  const brief = handOutOf(run, entries);
  const commitSpec = run.state.commitSpec === true;
  const current = brief.current.map((task) => {
    const startedAt = findInterruption(entries, run.list, task.index, run.loop.run);
    if (startedAt === null) return task;
    const own = run.list.tasks[task.index] as Task;
    const { uncommitted } = readWork(run.spec, run.list, own, entries, { commitSpec });
    const named = uncommitted.slice(0, MAX_NAMED);
    return { ...task, history: { ...task.history, startedAt, uncommitted: named } };
  });
  return { ...brief, current };
}
