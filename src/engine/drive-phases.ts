import { phaseNamed } from "../layouts/phases.ts";
import { renderBack, renderPhase } from "../prompts/phase.ts";
import { renderCoordinator } from "../prompts/render.ts";
import { agreeToAll } from "../run/agreement.ts";
import type { Disk, PhasePrompt } from "../run/decision.ts";
import type { State } from "../run/state.ts";
import type { Spec } from "../store/spec.ts";
import { writeAgreement } from "../store/vault.ts";
import { locate } from "../tasks/position.ts";
import { writeAttempts } from "./attempts.ts";
import { readFindings } from "./check-documents.ts";
import { commitDocument } from "./document-commit.ts";
import { readFacts } from "./spec-facts.ts";

/** What is wrong with the document of the phase that quick mode is in. */
export function findingsOf(spec: Spec, name: string | undefined): readonly string[] {
  const phase = phaseNamed(spec.project.layout, name);
  return phase === undefined ? [] : readFindings(spec, phase.document);
}

/** The prompt of the next phase, after the previous document is committed. */
export function drivePhase(spec: Spec, disk: Disk, prompt: PhasePrompt): string {
  const { layout } = spec.project;
  const state: State = disk.state.kind === "ok" ? disk.state.state : {};
  const { brief } = prompt;
  if (prompt.kind === "phase-back") {
    return renderBack(layout, spec, prompt.phase, { ...prompt, iteration: brief.iteration });
  }
  const ended = phaseNamed(layout, state.phase);
  const commit = ended === undefined ? undefined : commitDocument(spec, state, ended);
  // Nobody is asked here: the agent reports it at the end.
  const note = commit?.failed === true ? `${ended?.document}${commit.said}.\n\n` : "";
  if (prompt.kind === "phase") {
    return note + renderPhase(layout, readFacts(spec, prompt.phase, state));
  }
  // Nobody types implement here: whatever the complete plan contains will be run.
  if (disk.tasks.kind === "ok") writeAgreement(spec, agreeToAll(disk.tasks.list));
  writeAttempts(spec, brief);
  const open = disk.tasks.kind === "ok" ? locate(disk.tasks.list).open.length : 0;
  return note + renderCoordinator(layout, brief, open);
}
