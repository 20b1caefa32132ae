import type { HostReport } from "../hosts/host.ts";
import { type Edition, EXECUTION } from "../layouts/layout.ts";
import { claimsCompletion } from "../run/claim/judge-claim.ts";
import { listAsking, listTasksOut, matchMain, matchReport } from "../run/claim/match-report.ts";
import { planHandOut } from "../run/hand-out.ts";
import type { Entry } from "../run/journal.ts";
import { currentLoop, MAX_AGENT } from "../run/loop.ts";
import { excerptFailure, TASK_COMPLETE } from "../run/signal.ts";
import { whoseRun } from "../run/trust.ts";
import { readAllEntries, readDisk } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import type { Task } from "../tasks/model.ts";
import { isVerifyTask } from "../tasks/tags.ts";
import { prepareRun } from "./prepare-run.ts";
import { recordFailure } from "./record-failure.ts";
import type { Request } from "./request.ts";
import { settleClaim } from "./settle-claim.ts";
import { withRun } from "./with-run.ts";

/** A sub-agent's report, with its instructions, if the client's record shows them. */
export interface HeardReport extends HostReport {
  readonly orders: string | undefined;
  /** Whether the main agent reports, which has one task at a time: the first that is out. */
  readonly isMain?: boolean;
  /**
   * The task that the agent was started for, if the caller knows. Such an agent has ended and cannot be sent back, so a
   * refusal counts as a failure, unless git did not answer: then the report can be passed on again.
   */
  readonly startedFor?: string;
  /** As for `readWork`. */
  readonly edited?: ReadonlySet<string>;
  /** As for `readOwnCommits`. */
  readonly since?: string;
  /** Why what it left could not be committed for it, in git's words. */
  readonly fault?: string;
}

/** What became of a report. */
export interface Heard {
  /** Why its agent has to continue, if it has to. */
  readonly reason?: string;
  /** What the journal says about it, if it says anything. */
  readonly entry?: Entry | undefined;
}

/**
 * Takes an executor's report at the source, so that a coordinator that forgets to pass it on neither stalls the loop
 * nor loses a claim.
 */
export async function hearReport(request: Request, spec: Spec, heard: HeardReport): Promise<Heard> {
  const due = dueTask(request, spec, heard);
  if (due === undefined) return {};
  const { id } = due;
  const agent = heard.agentId.slice(0, MAX_AGENT);
  const fail = async (task: string, why: string): Promise<Heard> => {
    const failed = recordFailure(request, spec, { id: task, reason: why, agent });
    await prepareRun(request, spec, { runsChecks: true });
    return failed.kind === "recorded" ? { entry: failed.entry } : {};
  };
  if (id === undefined || !claimsCompletion(heard.report)) {
    const said = excerptFailure(heard.report, 500);
    // Whoever was started for a task and says nothing has had its attempt.
    const reason = said === "" && heard.startedFor !== undefined ? SILENT : said;
    if (id !== undefined && reason !== "" && !isAboutVerify(heard.report) && !due.waits)
      return fail(id, reason);
    const about = id === undefined ? {} : { task: id };
    return withRun(request, spec, ({ apply, loop }) => ({
      entry: apply({ event: "heard", ...about, note: reason, agent, loop }),
    }));
  }
  const { report, edited, since, fault } = heard;
  const claim = { id, report, agent, edited, since, fault };
  const settled = await settleClaim(request, spec, claim);
  if (settled?.kind === "done") await prepareRun(request, spec, { runsChecks: true });
  if (settled === undefined || settled.kind === "already") return {};
  const { entry } = settled;
  if (settled.kind === "done" || settled.waits === true) return { entry };
  const { refusal: reason } = settled;
  if (settled.unread === true)
    return heard.startedFor !== undefined || mayTryAgain(spec, agent)
      ? { reason, entry }
      : { entry };
  if (heard.startedFor === undefined && mayTryAgain(spec, agent))
    return { reason: `${reason} ${wayOut(settled.task)}`, entry };
  // It has had its chances: the attempt is spent.
  return fail(id, reason);
}

/** How often a sub-agent is sent back to fix what it called done. */
const MAX_SENT_BACK = 2;

/**
 * Whether an agent that was just refused gets another chance. Searches the whole journal: with many agents at work, its
 * tail may not hold all of this one's reports.
 */
export const mayTryAgain = (spec: Spec, agent: string): boolean =>
  readAllEntries(spec).filter((entry) => entry.event === "refused" && entry.agent === agent)
    .length <= MAX_SENT_BACK;

const SILENT = "Its agent ended without a report.";

/** Not a failure: the coordinator is asked for another Verify first. */
const isAboutVerify = (report: string): boolean =>
  /^[^\w\n\r\u2028\u2029]*VERIFY_WRONG\b/m.test(report);

/** An agent that cannot fix it must be free to say so. */
const wayOut = (task: Task): string =>
  isVerifyTask(task)
    ? "If it does not pass, say VERIFICATION_FAIL and why."
    : `If you cannot, say what is in the way and leave out ${TASK_COMPLETE}.`;

/** The task reported on, if that is clear; nothing if the run belongs to another session. */
function dueTask(
  request: Request,
  spec: Spec,
  heard: HeardReport,
): { readonly id: string | undefined; readonly waits: boolean } | undefined {
  const disk = readDisk(spec);
  if (disk.state.kind !== "ok" || disk.tasks.kind !== "ok") return undefined;
  if (whoseRun(disk, heard.sessionId) !== "ours") return undefined;
  const { state } = disk.state;
  const loop = currentLoop(state, disk.last, request.now());
  if (state.phase !== EXECUTION || (loop.session ?? heard.sessionId) !== heard.sessionId)
    return undefined;
  const { list } = disk.tasks;
  const entries = readAllEntries(spec);
  const out = listTasksOut(planHandOut(spec, list, state, loop), list, loop, entries);
  const asked = listAsking(list, entries);
  const first = claimsCompletion(heard.report) ? out[0] : (asked[0] ?? out[0]);
  const id =
    heard.startedFor ??
    (heard.isMain === true
      ? matchMain(first, list, heard.report)
      : matchReport([...out, ...asked], list, heard.report, heard.orders));
  return { id, waits: id !== undefined && asked.includes(id) };
}

export const isExecutor = (layout: Edition, type: string): boolean =>
  ["spec-executor", "qa-engineer"].some((name) => isAgent(layout, type, name));

export const isAgent = ({ plugin }: Edition, type: string, name: string): boolean =>
  type === name || type === `${plugin}:${name}`;
