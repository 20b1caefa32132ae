import { EXECUTION, type Phase } from "../layouts/layout.ts";
import { commandAfter, inferPhase, phaseAfter, phaseNamed, phasesOf } from "../layouts/phases.ts";
import type { State } from "../run/state.ts";
import { hasDocument, readGoal, readPhases, readSmall } from "../store/documents.ts";
import { hasProgress } from "../store/progress.ts";
import { readGlance, readState } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { requireUser } from "./authority.ts";
import { writeNotes } from "./notes.ts";
import type { Request } from "./request.ts";
import { startPhase } from "./start-phase.ts";
import { startRun } from "./start-run.ts";
import type { SpecOptions, Step } from "./step.ts";

/**
 * `start` with a spec that exists. A goal is only for one that has none yet. It does not execute what was never
 * executed on this machine: that runs commands, which only `implement` and `resume` agree to.
 */
export function startExisting(
  request: Request,
  spec: Spec,
  goal: string | undefined,
  options: SpecOptions,
): Step {
  requireUser(request, spec, "start");
  const { state, record } = readGlance(spec);
  const isReady = isExecution(spec, state.kind === "ok" ? state.state : {});
  if (isReady && record === undefined) {
    const implement = `${spec.project.layout.voice.command("implement")} ${spec.name}`;
    const fact = `${spec.basePath}/tasks.md is ready but was not started on this machine: ${implement} agrees to its Verify commands and starts it.`;
    return { kind: "user-decides", spec, fact };
  }
  if (goal === undefined) return resumeSpec(request, spec, options);
  if (!hasProgress(spec)) writeNotes(request, spec, { goal, intent: options.intent });
  const step = resumeSpec(request, spec, options);
  if (!("notes" in step) || readGoal(spec) === goal.trim()) return step;
  const note = `${spec.name} has its goal already, in .progress.md: what was said now is not written there. Tell the user that --fresh starts another ${spec.project.layout.unit}.`;
  return { ...step, notes: [note, ...step.notes] };
}

/** Resumes a spec where it was left. */
export function resumeSpec(request: Request, spec: Spec, options: SpecOptions): Step {
  const { layout } = spec.project;
  const file = readState(spec);
  const state: State = file.kind === "ok" ? file.state : {};
  if (isExecution(spec, state)) return startRun(request, spec, "resume", {}, options);
  const isSmall = readSmall(spec, state);
  const small = options.fields["small"] === undefined ? isSmall : options.fields["small"] === true;
  const phases = phasesOf(layout, { small });
  const phase = (phaseNamed(phases, state.phase) ??
    inferPhase(phases, (name) => hasDocument(spec, name))) as Phase;
  // Whoever changes the way does not approve what was written on the other one.
  const waits = state.awaitingApproval === true && small === isSmall;
  if (waits && options.fields["quickMode"] === true) {
    // Whoever wants no approvals has given this one.
    const next = phaseAfter(phases, phase);
    if (next !== undefined) return startPhase(request, spec, next, options);
    return startRun(request, spec, "start", { quickMode: true }, options);
  }
  if (waits && state.quickMode !== true) {
    const next = layout.voice.command(commandAfter(phases, phase));
    const fact = `${spec.basePath}/${phase.document} waits for the user's approval: ${next} approves it and continues, ${layout.voice.command(phase.name)} works on it again.`;
    return { kind: "user-decides", spec, fact, phase: phase.name };
  }
  return startPhase(request, spec, phase, options);
}

export const isExecution = (spec: Spec, state: State): boolean =>
  state.phase === EXECUTION ||
  (phaseNamed(spec.project.layout.phases, state.phase) === undefined &&
    inferPhase(readPhases(spec, state), (name) => hasDocument(spec, name)) === EXECUTION);
