import type { HostReport } from "../hosts/host.ts";
import { type Edition, EXECUTION } from "../layouts/layout.ts";
import { planReview } from "../run/change/plan-review.ts";
import type { Entry } from "../run/journal.ts";
import { MAX_AGENT } from "../run/loop.ts";
import { whoseRun } from "../run/trust.ts";
import { readGlance, writeTasks } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { isAgent } from "./hear-report.ts";
import type { Request } from "./request.ts";
import { withRun } from "./with-run.ts";

export const isReviewer = (layout: Edition, type: string): boolean =>
  isAgent(layout, type, "spec-reviewer");

/**
 * Takes the report of the last review, if one was asked for; only the first report counts. Its findings become tasks or
 * go into the summary. Reviews of documents are ignored. Returns the journal's entry about it.
 */
export function hearReview(request: Request, spec: Spec, heard: HostReport): Entry | undefined {
  const glance = readGlance(spec);
  if (glance.last?.loop.review !== "out" || whoseRun(glance, heard.sessionId) !== "ours")
    return undefined;
  return withRun(request, spec, (run) => {
    if (run.loop.review !== "out" || run.state.phase !== EXECUTION) return undefined;
    const agent = heard.agentId.slice(0, MAX_AGENT);
    const { tasks, write } = planReview(run, { report: heard.report, agent });
    if (tasks !== undefined) writeTasks(spec, tasks);
    return run.apply(write);
  });
}
