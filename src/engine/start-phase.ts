import type { Phase } from "../layouts/layout.ts";
import { phaseBefore } from "../layouts/phases.ts";
import { renderPhase } from "../prompts/phase.ts";
import { withDefaults } from "../run/plan-run.ts";
import { hasDocument, readGoal } from "../store/documents.ts";
import { hasProgress } from "../store/progress.ts";
import type { Spec } from "../store/spec.ts";
import { bindRun } from "./bind-run.ts";
import { commitDocument } from "./document-commit.ts";
import { writeNotes } from "./notes.ts";
import type { Request } from "./request.ts";
import { readFacts } from "./spec-facts.ts";
import type { SpecOptions, Step } from "./step.ts";

/** Starts or resumes a phase: the document before it counts as approved. */
export function startPhase(
  request: Request,
  spec: Spec,
  phase: Phase,
  { fields, intent }: SpecOptions,
): Step {
  const { layout, settings } = spec.project;
  const { commitSpec } = settings;
  return bindRun(request, spec, phase.name, { fields }, (taken) => {
    const { loop } = taken;
    // People and older versions create specs without notes.
    const known = hasProgress(spec)
      ? {}
      : writeNotes(request, spec, { goal: readGoal(spec), intent });
    const raw = withDefaults({ ...taken.raw, phase: phase.name }, { ...known, commitSpec });
    const previous = phaseBefore(layout, phase);
    const isMissing = previous !== undefined && !hasDocument(spec, previous.document);
    const approved = previous !== undefined && !isMissing ? `, ${previous.document} approved` : "";
    const notes = [
      ...taken.record(raw, { event: "phase", note: `${phase.name}${approved}`, loop, state: {} }),
      ...(isMissing ? [`There is no ${previous.document}; continuing without it.`] : []),
    ];
    // As approved: it may have changed since it was submitted.
    if (previous !== undefined && !isMissing)
      commitDocument(spec, { commitSpec: raw["commitSpec"] === true }, previous);
    const facts = readFacts(spec, phase, { ...known, ...taken.state });
    return {
      kind: "phase",
      spec,
      prompt: renderPhase(layout, facts),
      notes,
      phase: phase.name,
      document: phase.document,
      agent: phase.agent,
      quick: facts.quick,
      intent: facts.intent.id,
      session: taken.wish.session,
    };
  });
}
