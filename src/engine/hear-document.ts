import type { Answer, HostReport } from "../hosts/host.ts";
import type { Edition, Phase } from "../layouts/layout.ts";
import { phaseNamed, phasesOf } from "../layouts/phases.ts";
import { renderFindings } from "../prompts/phase.ts";
import { currentLoop, MAX_AGENT } from "../run/loop.ts";
import { LIMITS, type State } from "../run/state.ts";
import { whoseRun } from "../run/trust.ts";
import { readGlance } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { type Heard, isAgent, mayTryAgain } from "./hear-report.ts";
import { noteOpenPoints } from "./open-points.ts";
import type { Request } from "./request.ts";
import { type Submission, submitDocument } from "./submit-document.ts";

/** Whether agents of this type write the document of some phase. */
export const isWriter = (layout: Edition, agentType: string): boolean =>
  [...layout.phases, ...layout.shortPhases].some(({ agent }) => isAgent(layout, agentType, agent));

/** The phase whose document an agent of this type writes, if the spec is in it. */
export function writtenPhase(layout: Edition, state: State, agentType: string): Phase | undefined {
  const found = phaseNamed(phasesOf(layout, state), state.phase);
  return found !== undefined && isAgent(layout, agentType, found.agent) ? found : undefined;
}

/**
 * The agent that writes a phase's document has ended: the document is checked, and submitted if it passes. `note` is
 * what the user should know.
 */
export function hearDocument(
  request: Request,
  spec: Spec,
  heard: HostReport,
): Heard & { readonly note?: string } {
  const submission = submitHeard(request, spec, heard);
  if (submission?.kind === "accepted" && submission.commit.failed === true)
    return { note: `${submission.phase.document}${submission.commit.said}` };
  if (submission?.kind !== "refused") return {};
  const { entry } = submission;
  // Once the agent has used its chances, the coordinator is told instead.
  return mayTryAgain(spec, agentOf(heard))
    ? { reason: `${describe(submission)}\nFix that; the file is the deliverable.`, entry }
    : { entry };
}

/** The same for a main agent: it has no coordinator, so after a few rounds the user is told. */
export function hearOwnDocument(
  request: Request,
  spec: Spec,
  heard: HostReport,
): Pick<Answer, "reason" | "say"> {
  const submission = submitHeard(request, spec, heard);
  if (submission?.kind !== "refused") return {};
  const { phase, findings, round } = submission;
  if (round < LIMITS.documentRounds)
    return {
      reason: `${describe(submission)}\nFix that in the file, then say DOCUMENT_READY again.`,
    };
  const { brand } = spec.project.layout.voice;
  return { say: `${brand}: ${phase.document} is not finished: ${findings[0]}` };
}

const agentOf = ({ agentId }: HostReport): string => agentId.slice(0, MAX_AGENT);

const describe = ({ phase, findings }: Extract<Submission, { kind: "refused" }>): string =>
  `${phase.document} is not finished:\n${renderFindings(findings)}`;

function submitHeard(request: Request, spec: Spec, heard: HostReport): Submission | undefined {
  const glance = readGlance(spec);
  if (glance.state.kind !== "ok" || whoseRun(glance, heard.sessionId) !== "ours") return undefined;
  const { state } = glance.state;
  const { session } = currentLoop(state, glance.last, request.now());
  const phase = writtenPhase(spec.project.layout, state, heard.agentType);
  if (phase === undefined || session !== heard.sessionId) return undefined;
  noteOpenPoints(request, spec, phase, heard.report);
  return submitDocument(request, spec, { agent: agentOf(heard) });
}
