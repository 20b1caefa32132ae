import type { Answer, HostEvent } from "../hosts/host.ts";
import { EXECUTION } from "../layouts/layout.ts";
import { phaseNamed, phasesOf } from "../layouts/phases.ts";
import { readGlance } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { hearOwnDocument } from "./hear-document.ts";
import { hearReport } from "./hear-report.ts";
import { hearReview } from "./hear-review.ts";
import type { Request } from "./request.ts";

/** What the main agent said at the end of its turn, in a client where it does the work itself. */
export interface MainReport extends HostEvent {
  readonly report: string;
}

/**
 * Takes the report as if a sub-agent had given it. About a document it returns why the agent has to continue, or what
 * the user should know; about a task, the stop that follows decides.
 */
export async function hearMain(
  request: Request,
  spec: Spec,
  said: MainReport,
): Promise<Pick<Answer, "reason" | "say">> {
  const { state: file, last } = readGlance(spec);
  if (file.kind !== "ok") return {};
  const { state } = file;
  const { layout } = spec.project;
  const phase = phaseNamed(phasesOf(layout, state), state.phase);
  const isReview = last?.loop.review === "out";
  const name = phase?.name ?? (isReview ? "review" : (last?.loop.task ?? ""));
  const turn = last?.loop.attempts[name] ?? 0;
  const heard = { ...said, agentId: `main ${name} ${turn}`, agentType: phase?.agent ?? "" };
  if (phase !== undefined) return hearOwnDocument(request, spec, heard);
  if (state.phase !== EXECUTION) return {};
  if (isReview) hearReview(request, spec, heard);
  else await hearReport(request, spec, { ...heard, orders: undefined, isMain: true });
  return {};
}
