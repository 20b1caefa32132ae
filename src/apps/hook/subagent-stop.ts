import { planBrief } from "../../run/hand-out.ts";
import type { Layout } from "../../layouts/layout.ts";
import { currentLoop } from "../../run/loop.ts";
import { isOurs } from "../../run/trust.ts";
import { claimsCompletion } from "../../run/claim/judge-claim.ts";
import { TASK_COMPLETE } from "../../run/signal.ts";
import { taskHeard, tasksOut } from "../../run/claim/match-report.ts";
import { claude } from "../../hosts/claude/wire.ts";
import type { HostReport } from "../../hosts/host.ts";
import { oneLine } from "../../text/template.ts";
import { readAllEntries, readDisk } from "../../store/spec-files.ts";
import { faultOf } from "../../store/read.ts";
import type { Spec } from "../../store/spec.ts";
import { readOrders } from "../../hosts/claude/transcript.ts";
import type { Task } from "../../tasks/model.ts";
import { settleClaim } from "../../engine/settle-claim.ts";
import type { Command, Context, Result } from "../cli/command.ts";
import { activeSpec, parseJson } from "./event.ts";
import { print } from "../stdio/print.ts";
import { withRun } from "../../engine/run.ts";

/** How often one sub-agent is sent back to mend what it called done. Then the coordinator is told instead. */
const MAX_REFUSALS = 2;
const SILENT: Result = { text: "", json: { ok: true } };

/**
 * What the client runs when a sub-agent ends. The executor's report is heard at the source, so that a coordinator that
 * forgets to pass it on neither stalls the loop nor loses a claim, and an executor whose Verify fails learns it at once.
 */
export const subagentStop: Command = {
  name: "subagent-stop",
  summary: "hear an executor's report (run by the client's hook)",
  group: "hook",
  async run(context) {
    try {
      return await listen(context);
    } catch (error) {
      // A fault of ours must not keep an agent from stopping: the coordinator can still report.
      const why = faultOf(error) ?? (error instanceof Error ? error.message : String(error));
      print(2, `[${context.program}] ${oneLine(why)}; the report of this agent was not heard\n`);
      return SILENT;
    }
  },
};

async function listen(context: Context): Promise<Result> {
  const { layout } = context;
  const heard = claude.parseReport?.(parseJson(context.readStdin()), context.env);
  if (layout === undefined || heard === undefined) return SILENT;
  const spec = isExecutor(layout, heard.agentType) ? activeSpec(layout, heard) : undefined;
  const caller = { session: heard.sessionId, authority: "agent" } as const;
  return spec === undefined ? SILENT : hear({ ...context, caller }, spec, heard);
}

async function hear(context: Context, spec: Spec, heard: HostReport): Promise<Result> {
  const due = dueTask(context, spec, heard);
  if (due === undefined) return SILENT;
  const { id } = due;
  // A journal line has to stay short, whatever the client calls its agents.
  const agent = heard.agentId.slice(0, 200);
  if (id === undefined || !claimsCompletion(heard.report)) {
    withRun(context, spec, (run) => {
      const note = oneLine(heard.report, 500);
      run.apply({
        event: "claimed",
        ...(id === undefined ? {} : { task: id }),
        note,
        agent,
        loop: run.loop,
      });
    });
    return SILENT;
  }
  const settled = await settleClaim(context, spec, { id, report: heard.report, agent });
  if (settled?.kind !== "refused" || settled.waits === true) return SILENT;
  // Of the whole journal: with many agents at work the end of it may not hold all of this one's.
  const refusals = readAllEntries(spec).filter(
    (entry) => entry.event === "refused" && entry.agent === agent,
  );
  if (refusals.length > MAX_REFUSALS) return SILENT;
  const reason = `${settled.refusal} ${wayOut(settled.task)}`;
  return { text: claude.formatRefusal?.(reason) ?? "", json: { ok: false } };
}

/** An agent that cannot mend it must be free to say so. */
const wayOut = ({ tags }: Task): string =>
  tags.includes("VERIFY")
    ? "If it does not pass, say VERIFICATION_FAIL and why."
    : `If you cannot, say what is in the way and leave out ${TASK_COMPLETE}.`;

/** The task that is reported on, as far as that is clear; nothing at all if the run is none of this session's. */
function dueTask(
  context: Context,
  spec: Spec,
  heard: HostReport,
): { readonly id: string | undefined } | undefined {
  const disk = readDisk(spec);
  if (disk.state.kind !== "ok" || disk.tasks.kind !== "ok") return undefined;
  if (!isOurs(disk.state, disk.record, disk.last, heard.sessionId)) return undefined;
  const { state } = disk.state;
  const loop = currentLoop(state, disk.last, context.now());
  if (state.phase !== "execution" || (loop.session ?? heard.sessionId) !== heard.sessionId)
    return undefined;
  const { list } = disk.tasks;
  const orders = heard.transcript === undefined ? undefined : readOrders(heard.transcript);
  const out = tasksOut(planBrief(spec, list, state, loop), list, loop, readAllEntries(spec));
  return { id: taskHeard(out, list, heard.report, orders) };
}

const isExecutor = ({ plugin }: Layout, type: string): boolean =>
  ["spec-executor", "qa-engineer"].some((name) => type === name || type === `${plugin}:${name}`);
