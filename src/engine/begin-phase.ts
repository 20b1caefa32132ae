import { withDefaults } from "../run/plan-run.ts";
import type { Phase } from "../layouts/layout.ts";
import { phaseBefore } from "../layouts/phases.ts";
import type { Raw } from "../run/state.ts";
import { renderPhase } from "../prompts/phase.ts";
import { hasDocument, readGoal } from "../store/documents.ts";
import type { Spec } from "../store/spec.ts";
import type { Context, Input, Result } from "../apps/cli/command.ts";
import { commitDocument } from "./document-commit.ts";
import { readFacts } from "./spec-facts.ts";
import { hasNotes, writeNotes } from "./notes.ts";
import { takeUp } from "./bind-run.ts";
import { statedIntent, statedWishes } from "../apps/cli/spec-options.ts";

/** Begins a phase, or takes it up again: the document before it counts as approved. Prints the prompt. */
export function beginPhase(
  context: Context,
  input: Input,
  spec: Spec,
  phase: Phase,
  wishes: Raw = statedWishes(input),
): Result {
  const {
    layout,
    settings: { commitSpec },
  } = spec.project;
  return takeUp(context, input, spec, phase.name, wishes, (taken) => {
    const { loop } = taken;
    // People and older versions make specs without notes.
    const told = hasNotes(spec)
      ? {}
      : writeNotes(context, spec, { goal: readGoal(spec), intent: statedIntent(input) });
    const raw = withDefaults({ ...taken.raw, phase: phase.name }, { ...told, commitSpec });
    const previous = phaseBefore(layout, phase);
    const missing = previous !== undefined && !hasDocument(spec, previous.document);
    const approved = previous !== undefined && !missing ? `, ${previous.document} approved` : "";
    const notes = [
      ...taken.record(raw, { event: "phase", note: `${phase.name}${approved}`, loop, state: {} }),
      ...(missing ? [`There is no ${previous.document}; this goes on without it.`] : []),
    ];
    // As it was approved: it may have been changed since it was handed in.
    if (previous !== undefined && !missing)
      commitDocument(spec, { commitSpec: raw["commitSpec"] === true }, previous);
    const facts = readFacts(spec, phase, { ...told, ...taken.state });
    return {
      text: [...notes, renderPhase(layout, facts)].join("\n\n"),
      json: {
        ok: true,
        spec: spec.name,
        path: spec.basePath,
        phase: phase.name,
        document: phase.document,
        agent: phase.agent,
        quick: facts.quick,
        intent: facts.intent.id,
        session: taken.wish.session,
        notes,
      },
    };
  });
}
