import type { Answer, HostStop, StopLimits } from "../hosts/host.ts";
import type { Edition } from "../layouts/layout.ts";
import { renderLastTurn, renderPassOn } from "../prompts/client-limits.ts";
import type { Outcome } from "../run/decision.ts";
import { announceOnce, countContinuation } from "../store/tickets.ts";
import { oneLine } from "../text/template.ts";

/** The agent knows why it waits: it has asked, or was told by the user. */
const KNOWN: Outcome = "awaiting";

/**
 * An answer for a client that continues a prompt only a few times and shows the user nothing of ours: before the last
 * time the agent hears how the user goes on, and it passes on, once, why the run has ended.
 */
export function fitToClient(
  layout: Edition,
  { client, max }: StopLimits,
  { sessionId, continuing }: HostStop,
  answer: Answer,
): Answer {
  const session = sessionId ?? "";
  const { reason, say, outcome } = answer;
  if (reason !== undefined) {
    const isLast = countContinuation(session, continuing) === max;
    return isLast
      ? { ...answer, reason: `${reason}\n\n${renderLastTurn(layout, client)}` }
      : answer;
  }
  if (say === undefined || outcome === KNOWN) return answer;
  const line = oneLine(say, 1000);
  return announceOnce(session, line) ? { ...answer, reason: renderPassOn(line) } : answer;
}
