import { renderCoordinator } from "../prompts/render.ts";
import { isHeldUp } from "../run/hand-out.ts";
import { isRunner } from "../run/runner-session.ts";
import { isWaiting } from "../run/state.ts";
import { heldUp } from "../run/user-messages.ts";
import { readAllEntries } from "../store/spec-files.ts";
import { locate } from "../tasks/position.ts";
import type { Request } from "./request.ts";
import { settleRun } from "./settle-run.ts";
import type { Step } from "./step.ts";
import { renderNext } from "./what-next.ts";
import { handOutOf, withRun } from "./with-run.ts";

/** A run that has just begun, once its first tasks are ready: what that shows is part of what is handed out. */
export async function readyStep(request: Request, step: Step): Promise<Step> {
  if (step.kind !== "run") return step;
  const { spec } = step;
  // The user waits for this, at a terminal or in a client.
  await settleRun(request, spec, { runsChecks: false });
  return withRun(request, spec, (run) => {
    const brief = handOutOf(run, readAllEntries(spec));
    const { open, total } = locate(run.list);
    if (isWaiting(run.state)) {
      const fact = run.state.approvalReason ?? "the run waits for the user's approval";
      return { kind: "user-decides", spec, fact };
    }
    if (open.length === 0 && isRunner(run.loop.session ?? ""))
      return { ...step, open: 0, next: [] };
    if (open.length === 0) {
      const loop = { ...run.loop, open: false };
      run.apply({ event: "finished", loop, state: "remove" });
      return { kind: "nothing-to-do", spec, total, notes: [] };
    }
    if (isHeldUp(brief))
      return { kind: "user-decides", spec, fact: heldUp(run.disk, brief, run.list) };
    return {
      ...step,
      prompt: renderCoordinator(spec.project.layout, brief, open.length, renderNext(run, brief)),
      open: open.length,
      total,
      next: brief.current.map(({ id }) => id),
    };
  });
}
