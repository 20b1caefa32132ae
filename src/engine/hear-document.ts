import type { HostReport } from "../hosts/host.ts";
import type { Edition, Phase } from "../layouts/layout.ts";
import { phaseNamed, phasesOf } from "../layouts/phases.ts";
import { renderFindings } from "../prompts/phase.ts";
import { currentLoop, MAX_AGENT } from "../run/loop.ts";
import type { State } from "../run/state.ts";
import { whoseRun } from "../run/trust.ts";
import { readAllEntries, readGlance } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { isAgent } from "./hear-report.ts";
import { noteOpenPoints } from "./note-open-points.ts";
import type { Request } from "./request.ts";
import { submitDocument } from "./submit-document.ts";

/** How often an agent is sent back to finish its document. After that the coordinator is told instead. */
const MAX_REFUSALS = 2;

/** Whether agents of this type write the document of some phase. */
export const isWriter = (layout: Edition, agentType: string): boolean =>
  [...layout.phases, ...layout.shortPhases].some(({ agent }) => isAgent(layout, agentType, agent));

/** The phase whose document an agent of this type writes, if the spec is in it. */
export function writtenPhase(layout: Edition, state: State, agentType: string): Phase | undefined {
  const found = phaseNamed(phasesOf(layout, state), state.phase);
  return found !== undefined && isAgent(layout, agentType, found.agent) ? found : undefined;
}

/**
 * The agent that writes a phase's document has ended: the document is checked, and submitted if it passes. Returns why
 * the agent has to continue, if it has to.
 */
export function hearDocument(request: Request, spec: Spec, heard: HostReport): string | undefined {
  const glance = readGlance(spec);
  if (glance.state.kind !== "ok" || whoseRun(glance, heard.sessionId) !== "ours") return undefined;
  const { state } = glance.state;
  const { session } = currentLoop(state, glance.last, request.now());
  const phase = writtenPhase(spec.project.layout, state, heard.agentType);
  if (phase === undefined || session !== heard.sessionId) return undefined;
  const agent = heard.agentId.slice(0, MAX_AGENT);
  noteOpenPoints(request, spec, phase, heard.report);
  const submission = submitDocument(request, spec, { agent });
  if (submission.kind === "accepted") return undefined;
  const refusals = readAllEntries(spec).filter(
    (entry) => entry.event === "refused" && entry.agent === agent,
  );
  return refusals.length > MAX_REFUSALS
    ? undefined
    : `${phase.document} is not finished:\n${renderFindings(submission.findings)}\nFix that; the file is the deliverable.`;
}
