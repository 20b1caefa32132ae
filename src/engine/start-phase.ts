import type { Phase } from "../layouts/layout.ts";
import { phaseBefore, phaseNamed, phasesOf } from "../layouts/phases.ts";
import { renderPhase } from "../prompts/phase.ts";
import { withDefaults } from "../run/plan-run.ts";
import { intentOf } from "../spec/intent.ts";
import { USER_WORDS } from "../spec/noted-items.ts";
import { hasDocument, readGoal, readSmall } from "../store/documents.ts";
import { addProgressItems, hasProgress } from "../store/progress.ts";
import type { Spec } from "../store/spec.ts";
import { bindRun } from "./bind-run.ts";
import { commitDocument } from "./document-commit.ts";
import { noteIntent, writeNotes } from "./notes.ts";
import type { Request } from "./request.ts";
import { readFacts } from "./spec-facts.ts";
import type { SpecOptions, Step } from "./step.ts";

/** Starts or resumes a phase: the document before it counts as approved. */
export function startPhase(
  request: Request,
  spec: Spec,
  { name }: Phase,
  { fields, intent, said = "" }: SpecOptions,
): Step {
  const { layout, settings } = spec.project;
  const { commitSpec } = settings;
  return bindRun(request, spec, name, { fields }, (taken) => {
    const { loop } = taken;
    // People and older versions create specs without notes.
    const known = hasProgress(spec)
      ? {}
      : writeNotes(request, spec, { goal: readGoal(spec), intent });
    const isSmall = readSmall(spec, taken.state);
    const small = isSmall && phaseNamed(layout.shortPhases, name) !== undefined;
    const phases = phasesOf(layout, { small });
    const phase = phaseNamed(phases, name) as Phase;
    const way = small || taken.state.small !== undefined ? { small } : {};
    const state = { ...taken.raw, ...way, phase: name };
    const raw = withDefaults(state, { ...known, commitSpec });
    const previous = phaseBefore(phases, phase);
    const isMissing = previous !== undefined && !hasDocument(spec, previous.document);
    const approved = previous !== undefined && !isMissing ? `, ${previous.document} approved` : "";
    const notes = [
      ...taken.record(raw, { event: "phase", note: `${phase.name}${approved}`, loop, state: {} }),
      ...(isMissing ? [`There is no ${previous.document}; continuing without it.`] : []),
      ...(isSmall && !small ? [`The short way has no phase ${name}: the long way from here.`] : []),
    ];
    // As approved: it may have changed since it was submitted.
    if (previous !== undefined && !isMissing)
      commitDocument(spec, { commitSpec: raw["commitSpec"] === true }, previous);
    // Notes of this phase: they are committed with its own document.
    const fault =
      said === "" ? undefined : addProgressItems(spec, USER_WORDS, [{ phase: name, text: said }]);
    if (fault !== undefined) notes.push(`What the user added is not noted: ${fault}.`);
    if (intent !== undefined && hasProgress(spec))
      noteIntent(spec, { intent: intentOf(intent), by: "user", confidence: "high" });
    const facts = readFacts(spec, phase, { ...known, ...taken.state, ...way, phase: name });
    return {
      kind: "phase",
      spec,
      prompt: renderPhase(layout, facts),
      notes,
      phase: phase.name,
      document: phase.document,
      agent: phase.agent,
      quick: facts.quick,
      intent: facts.intent.intent.id,
      confidence: facts.intent.by === "goal" ? facts.intent.confidence : null,
      session: taken.wish.session,
    };
  });
}
