import { EXECUTION } from "../layouts/layout.ts";
import { renderDueCheck, renderStart } from "../prompts/render-task.ts";
import { findDueCheck } from "../run/claim/due-check.ts";
import { runnableUnder } from "../run/claim/runnable-task.ts";
import { isWaiting } from "../run/state.ts";
import { readAllEntries } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { prepareRun } from "./prepare-run.ts";
import type { Request } from "./request.ts";
import { handOutOf, type Run, withRun } from "./with-run.ts";

/**
 * Gets the next tasks ready, and says what the coordinator does next, so that it need not end its turn to hear it.
 * Undefined if a stop has to decide: the run waits or has stopped, an agent is out, or nothing is left to hand out; and
 * if a person asks at a terminal. Nothing is counted here, because the agent's return is.
 */
export async function whatNext(request: Request, spec: Spec): Promise<string | undefined> {
  await prepareRun(request, spec);
  if (request.caller.session === null) return undefined;
  return withRun(request, spec, (run) => (isGoing(run) ? renderNext(run) : undefined));
}

const isGoing = ({ state, loop }: Run): boolean =>
  state.phase === EXECUTION &&
  !isWaiting(state) &&
  loop.told === null &&
  Object.keys(loop.out).length === 0;

function renderNext(run: Run): string | undefined {
  const { spec, list, loop } = run;
  const { layout, settings } = spec.project;
  const brief = handOutOf(run, readAllEntries(spec));
  if (brief.current.length === 0) return undefined;
  // It may take longer than the client gives a command.
  const due = findDueCheck(brief, list, loop, runnableUnder(settings));
  return due === undefined ? renderStart(layout, brief) : renderDueCheck(layout, brief, due.id);
}
