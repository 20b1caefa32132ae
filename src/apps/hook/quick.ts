import { agreeToAll } from "../../run/agreement.ts";
import type { Disk, PhasePrompt } from "../../run/decision.ts";
import { phaseNamed } from "../../layouts/phases.ts";
import { locate } from "../../tasks/position.ts";
import type { State } from "../../run/state.ts";

import { renderCoordinator } from "../../prompts/render.ts";
import { renderBack, renderPhase } from "../../prompts/phase.ts";
import type { Spec } from "../../store/spec.ts";
import { writeAgreement } from "../../store/vault.ts";
import { adoptRun, planAdoption } from "../../engine/adopt-run.ts";
import { markAttempts } from "../../engine/attempts.ts";
import { readFindings } from "../../engine/check-documents.ts";
import { commitDocument } from "../../engine/document-commit.ts";
import { readFacts } from "../../engine/spec-facts.ts";
import type { Handler } from "./stop.ts";
import * as promptEvents from "./prompt-events.ts";
import { sessionEnd, sessionStart, stopFailure } from "./session-events.ts";

/** What a stop in quick mode, and every other event, needs besides the hook: a bundle of its own, so that no other stop has to load it. */
export interface Quick {
  /** Every event of the client but the end of a turn, by the name that the gate has for it. */
  readonly handlers: Readonly<Record<string, Handler>>;
  readonly planAdoption: typeof planAdoption;
  readonly adoptRun: typeof adoptRun;
  readonly findings: (spec: Spec, phase: string | undefined) => readonly string[];
  readonly answer: (spec: Spec, disk: Disk, prompt: PhasePrompt) => string;
}

export const quick: Quick = {
  handlers: {
    "stop-failure": stopFailure,
    "session-end": sessionEnd,
    "session-start": sessionStart,
    ...promptEvents,
  },

  planAdoption,
  adoptRun,

  findings(spec, name) {
    const phase = phaseNamed(spec.project.layout, name);
    return phase === undefined ? [] : readFindings(spec, phase.document);
  },

  /** The prompt of the phase that begins, when the one before it is committed. */
  answer(spec, disk, prompt) {
    const { layout } = spec.project;
    const state: State = disk.state.kind === "ok" ? disk.state.state : {};
    const { brief } = prompt;
    if (prompt.kind === "phase-back") {
      return renderBack(layout, spec, prompt.phase, { ...prompt, iteration: brief.iteration });
    }
    const ended = phaseNamed(layout, state.phase);
    const commit = ended === undefined ? undefined : commitDocument(spec, state, ended);
    // Nobody is asked for anything here: the agent tells it at the end.
    const note = commit?.failed === true ? `${ended?.document}${commit.said}.\n\n` : "";
    if (prompt.kind === "phase") {
      return note + renderPhase(layout, readFacts(spec, prompt.phase, state));
    }
    // Nobody types implement here: what the plan holds when it is complete is what will be run.
    if (disk.tasks.kind === "ok") writeAgreement(spec, agreeToAll(disk.tasks.list));
    markAttempts(spec, brief);
    const open = disk.tasks.kind === "ok" ? locate(disk.tasks.list).open.length : 0;
    return note + renderCoordinator(layout, brief, open);
  },
};
