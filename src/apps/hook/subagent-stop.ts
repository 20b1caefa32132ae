import { hearDocument, isWriter } from "../../engine/hear-document.ts";
import { hearReport, isExecutor } from "../../engine/hear-report.ts";
import { hearReview, isReviewer } from "../../engine/hear-review.ts";
import { isDriven } from "../../store/lease.ts";
import { faultOf } from "../../store/read.ts";
import { oneLine } from "../../text/template.ts";
import type { Command, Context, Result } from "../cli/command.ts";
import { print } from "../stdio/print.ts";
import { activeSpec, parseJson } from "./event.ts";

const SILENT: Result = { text: "", json: { ok: true } };

/**
 * What the client runs when a sub-agent ends. The executor's report is taken at the source, so that a coordinator that
 * forgets to pass it on neither stalls the loop nor loses a claim, and an executor whose Verify fails learns it at
 * once.
 */
export const subagentStop: Command = {
  name: "subagent-stop",
  summary: "take a sub-agent's report (run by the client's hook)",
  group: "hook",
  async run(context) {
    try {
      return await listen(context);
    } catch (error) {
      // An internal error must not keep an agent from stopping: the coordinator can still report.
      const why = faultOf(error) ?? (error instanceof Error ? error.message : String(error));
      print(2, `[${context.program}] ${oneLine(why)}; this agent's report was not recorded\n`);
      return SILENT;
    }
  },
};

async function listen(context: Context): Promise<Result> {
  const { layout, host } = context;
  if (isDriven(context.env)) return SILENT;
  const heard = host.wire.parseReport?.(parseJson(context.readStdin()), context.env);
  if (layout === undefined || heard === undefined) return SILENT;
  const isReview = isReviewer(layout, heard.agentType);
  const isWriting = isWriter(layout, heard.agentType);
  const isOurs = isReview || isWriting || isExecutor(layout, heard.agentType);
  const spec = isOurs ? activeSpec(layout, heard) : undefined;
  if (spec === undefined) return SILENT;
  const { sessionId: session, transcript } = heard;
  const orders = transcript === undefined ? undefined : host.transcript.readOrders(transcript);
  const request = { ...context, caller: { session, authority: "agent" } as const };
  if (isReview) {
    hearReview(request, spec, heard);
    return SILENT;
  }
  const { reason } = isWriting
    ? hearDocument(request, spec, heard)
    : await hearReport(request, spec, { ...heard, orders });
  return reason === undefined
    ? SILENT
    : { text: host.wire.formatRefusal?.(reason) ?? "", json: { ok: false } };
}
