import { worksItself } from "../layouts/layout.ts";
import { renderDueCheck, renderStart } from "../prompts/render-task.ts";
import { findDueCheck } from "../run/claim/due-check.ts";
import { runnableUnder } from "../run/claim/runnable-task.ts";
import type { HandOut } from "../run/hand-out.ts";
import { readAllEntries } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { prepareRun } from "./prepare-run.ts";
import type { Request } from "./request.ts";
import { handOutOf, isGoing, type Run, withRun } from "./with-run.ts";

/**
 * Gets the next tasks ready, and says what the coordinator does next, so that it need not end its turn to hear it.
 * Undefined if a stop has to decide: the run waits or has stopped, an agent is out, or nothing is left to hand out; and
 * if a person asks at a terminal. Nothing is counted here, because the agent's return is.
 */
export async function whatNext(request: Request, spec: Spec): Promise<string | undefined> {
  await prepareRun(request, spec);
  const isOwn = worksItself(spec.project.layout);
  if (request.caller.session === null && !(isOwn && request.caller.authority !== "user"))
    return undefined;
  return withRun(request, spec, (run) => {
    const { told, out } = run.loop;
    if (!isGoing(run) || told !== null || Object.keys(out).length > 0) return undefined;
    const brief = handOutOf(run, readAllEntries(spec));
    return brief.current.length === 0 ? undefined : renderNext(run, brief);
  });
}

/** Whom to start; or that a program does the next task, which may take longer than the client gives a command. */
export function renderNext({ spec, list, loop }: Run, brief: HandOut): string {
  const { layout, settings } = spec.project;
  const due = findDueCheck(brief, list, loop, runnableUnder(settings));
  return due === undefined ? renderStart(layout, brief) : renderDueCheck(layout, brief, due.id);
}
