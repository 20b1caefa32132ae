import { EXECUTION, type Phase, slash } from "../layouts/layout.ts";
import { commandAfter, inferPhase, phaseAfter, phaseNamed } from "../layouts/phases.ts";
import type { State } from "../run/state.ts";
import { readDisk, readState } from "../store/spec-files.ts";
import { hasDocument, readGoal } from "../store/documents.ts";
import type { Spec } from "../store/spec.ts";
import { requireUser } from "./authority.ts";
import type { Context, Input, Result } from "../apps/cli/command.ts";
import { begin } from "./start-run.ts";
import { hasNotes, writeNotes } from "./notes.ts";
import { beginPhase } from "./begin-phase.ts";
import { statedIntent } from "../apps/cli/spec-options.ts";

/**
 * Takes a spec up where it was left. A goal is for one that has none yet. `start` does not begin to execute what was never
 * executed on this machine: that runs commands, to which only `implement` and `resume` agree.
 */
export function goOn(context: Context, input: Input, spec: Spec, goal?: string): Result {
  requireUser(context, spec, "start");
  const { state, record } = readDisk(spec);
  const isReady = isExecution(spec, state.kind === "ok" ? state.state : {});
  if (isReady && record === undefined) return notBegun(spec);
  if (goal === undefined) return takeUpAgain(context, input, spec);
  if (!hasNotes(spec)) writeNotes(context, spec, { goal, intent: statedIntent(input) });
  const result = takeUpAgain(context, input, spec);
  if (readGoal(spec) === goal.trim()) return result;
  const note = `${spec.name} has its goal already, in .progress.md: what was said now is not written there. Tell the user that --fresh begins another ${spec.project.layout.unit}.`;
  return { ...result, text: `${note}\n\n${result.text}` };
}

function notBegun(spec: Spec): Result {
  const implement = `${slash(spec.project.layout, "implement")} ${spec.name}`;
  const fact = `${spec.basePath}/tasks.md is ready, and was not begun on this machine: ${implement} agrees to its Verify commands and begins.`;
  return told(spec, fact, { ready: true });
}

const isExecution = (spec: Spec, { phase }: State): boolean =>
  phase === EXECUTION ||
  (phaseNamed(spec.project.layout, phase) === undefined &&
    inferPhase(spec.project.layout, (name) => hasDocument(spec, name)) === EXECUTION);

export function takeUpAgain(context: Context, input: Input, spec: Spec): Result {
  const { layout } = spec.project;
  const file = readState(spec);
  const state: State = file.kind === "ok" ? file.state : {};
  if (isExecution(spec, state)) return begin(context, input, spec, "resume", {});
  const phase = (phaseNamed(layout, state.phase) ??
    inferPhase(layout, (name) => hasDocument(spec, name))) as Phase;
  const isQuick = input.options["quick"] === true;
  if (state.awaitingApproval === true && isQuick) {
    // Whoever wants no approvals has given this one.
    const next = phaseAfter(layout, phase);
    if (next !== undefined) return beginPhase(context, input, spec, next);
    return begin(context, input, spec, "start", { quickMode: true });
  }
  if (state.awaitingApproval === true && state.quickMode !== true) {
    const next = slash(layout, commandAfter(layout, phase));
    return told(
      spec,
      `${spec.basePath}/${phase.document} waits for the user's approval: ${next} approves it and goes on, ${slash(layout, phase.name)} works on it again.`,
      { phase: phase.name, awaitingApproval: true },
    );
  }
  return beginPhase(context, input, spec, phase);
}

const told = (spec: Spec, fact: string, more: object): Result => ({
  text: `${fact}\n\nTell the user this, and end your turn.`,
  json: { ok: true, spec: spec.name, path: spec.basePath, ...more },
});
