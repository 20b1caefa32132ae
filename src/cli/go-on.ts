import { EXECUTION, slash } from "../core/layout.ts";
import { commandAfter, inferPhase, phaseAfter, phaseNamed } from "../core/phases.ts";
import type { State } from "../core/state.ts";
import { readState, readTasks } from "../store/disk.ts";
import { hasDocument } from "../store/documents.ts";
import type { Spec } from "../store/spec.ts";
import type { Context, Input, Result } from "./command.ts";
import { begin } from "./commands/begin.ts";
import { beginPhase } from "./phase.ts";

/** Takes a spec up where it was left, whatever was going on there. */
export function goOn(context: Context, input: Input, spec: Spec): Result {
  const { layout } = spec.project;
  const file = readState(spec);
  const state: State = file.kind === "ok" ? file.state : {};
  if (state.phase === EXECUTION) return begin(context, input, spec, "resume", {});
  const phase =
    phaseNamed(layout, state.phase) ?? inferPhase(layout, (name) => hasDocument(spec, name));
  if (phase === EXECUTION) return begin(context, input, spec, "resume", {});
  const quick = input.options["quick"] === true;
  const waits = state.awaitingApproval === true && state.quickMode !== true;
  if (waits && !quick) {
    const next = slash(layout, commandAfter(layout, phase));
    return told(
      spec,
      `${spec.basePath}/${phase.document} waits for the user's approval: ${next} approves it and goes on, ${slash(layout, phase.name)} works on it again.`,
      { phase: phase.name, awaitingApproval: true },
    );
  }
  const wishes = quick ? { quickMode: true } : {};
  // Who wants no more questions has approved what waits.
  const due = waits ? phaseAfter(layout, phase) : phase;
  return due === undefined
    ? begin(context, input, spec, "start", wishes)
    : beginPhase(context, input, spec, due, wishes);
}

export function isFinished(spec: Spec): boolean {
  const tasks = readTasks(spec);
  return (
    tasks.kind === "ok" &&
    tasks.list.tasks.length > 0 &&
    tasks.list.tasks.every((task) => task.checked)
  );
}

const told = (spec: Spec, fact: string, more: object): Result => ({
  text: `${fact}\n\nTell the user this, and end your turn.`,
  json: { ok: true, spec: spec.name, path: spec.basePath, ...more },
});
