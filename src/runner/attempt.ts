import type { Ending } from "../agents/port.ts";
import { NO_TOKENS } from "../agents/port.ts";
import { type AgentChoice, formatChoice } from "../run/agent-choice.ts";
import { NOTHING, sumSpent } from "../run/cost.ts";
import { oneLine } from "../text/template.ts";
import type { Reached } from "./budget.ts";
import type { AttemptEnd, Ended, WorkEnding } from "./executor.ts";
import { noteEnding, pickAgent } from "./pool.ts";
import { sleepUntil } from "./sleep.ts";
import type { Stage } from "./stage.ts";
import { type Attempt, startAgent } from "./start-agent.ts";

/** Bounds the starts for one attempt, however many limits it waits for. */
const MAX_STARTS = 200;
const MAX_CRASHES = 3;

/**
 * Starts agents until one ends its turn or fails for good. Usage limits, busy services and missing logins cost no
 * attempt: the run waits, or another agent takes over.
 */
export async function runAttempt(stage: Stage, attempt: Attempt): Promise<AttemptEnd> {
  const unfit = new Set<string>();
  const crashes = new Map<string, number>();
  const { order, emit, signal } = attempt;
  const choices = order.agents.filter(({ agent }) => stage.agents.some(({ id }) => id === agent));
  let { from, why } = order.relieved ?? { from: "", why: "" };
  let last: Ended = { agent: "", choice: "", usage: { tokens: NO_TOKENS }, spent: NOTHING };
  const end = (ending: WorkEnding): AttemptEnd => ({ ...last, ending, report: "" });
  let wasBusy = false;
  for (let start = 0; start < MAX_STARTS; start++) {
    if (signal.aborted) return end({ kind: "stopped" });
    const spent = stage.budget.check(order);
    if (spent !== undefined)
      return end({ kind: "over-budget", scope: spent.scope, reason: spent.text });
    const fit = choices.filter((one) => !unfit.has(formatChoice(one)));
    // What keeps an agent from working rarely depends on its model.
    const ids = new Set(fit.map(({ agent }) => agent));
    const pick = pickAgent(stage.pool, [...ids], Date.now());
    if (pick.kind === "none")
      return end({ kind: wasBusy ? "busy" : "unavailable", reason: pick.why });
    if (pick.kind === "wait") {
      const reason = `${pick.id}: ${oneLine(pick.why, 200)}`;
      if (!order.limits.mayWait) return end({ kind: "unavailable", reason });
      emit({ kind: "waiting", until: new Date(pick.until).toISOString(), why: reason });
      const over = await waitWithin(stage, pick.until, attempt);
      if (over !== undefined) return end({ kind: "over-budget", ...over });
      continue;
    }
    const choice = fit.find(({ agent }) => agent === pick.id) as AgentChoice;
    const to = formatChoice(choice);
    if (from !== "" && from !== to) emit({ kind: "agent-changed", from, to, why });
    from = to;
    const begun = await stage.slots(async () => {
      const reason = await stage.room([signal, stage.timeUp]);
      if (reason !== undefined) return { reason };
      // The user may have stopped the run while this attempt waited for a slot.
      return signal.aborted ? undefined : startAgent(stage, attempt, choice);
    });
    if (begun === undefined) return end({ kind: "stopped" });
    if ("reason" in begun) return end({ kind: "no-room", ...begun });
    const { over, outcome, ...started } = begun;
    last = { ...started, spent: sumSpent([last, started]) };
    const { ending, report } = outcome;
    why = describeEnding(ending);
    wasBusy ||= ending.kind === "busy";
    stage.pool = noteEnding(stage.pool, pick.id, ending, Date.now(), order.limits.maxBusyMs);
    if (ending.kind === "turn") return { ...last, ending, report };
    const settled = settle(ending, over);
    if (settled !== undefined) return end(settled);
    if (ending.kind === "limit")
      emit({
        kind: "limit",
        agent: pick.id,
        until: ending.resetsAt ?? null,
        text: oneLine(ending.text, 300),
      });
    await attempt.rewind();
    if (ending.kind === "too-long" || isBroken(ending, crashes, to)) unfit.add(to);
    if (fit.every((one) => unfit.has(formatChoice(one))))
      return end({ kind: ending.kind === "too-long" ? "too-long" : "failed", reason: why });
  }
  return end({ kind: "unavailable", reason: `${MAX_STARTS} starts without a result` });
}

/** Waits no longer than the run's budget allows. A task's own clock does not run meanwhile. */
async function waitWithin(
  { budget }: Stage,
  until: number,
  { signal }: Attempt,
): Promise<{ readonly scope: "run"; readonly reason: string } | undefined> {
  const left = budget.timeLeft();
  const end = left === undefined ? until : Math.min(until, Date.now() + left);
  await sleepUntil(end, [signal]);
  const over = end < until ? budget.check() : undefined;
  return over === undefined ? undefined : { scope: "run", reason: over.text };
}

/** Undefined if another start may help. */
function settle(ending: Ending, over: Reached | undefined): WorkEnding | undefined {
  switch (ending.kind) {
    case "refused":
      return { kind: "failed", reason: describeEnding(ending) };
    case "stopped":
      if (ending.by === "user") return { kind: "stopped" };
      if (ending.by === "budget" && over !== undefined)
        return { kind: "over-budget", scope: over.scope, reason: over.text };
      return { kind: "failed", reason: describeEnding(ending) };
    default:
      return undefined;
  }
}

function isBroken(ending: Ending, crashes: Map<string, number>, id: string): boolean {
  if (ending.kind !== "crashed") return false;
  const count = (crashes.get(id) ?? 0) + 1;
  crashes.set(id, count);
  return count >= MAX_CRASHES;
}

/** Why an attempt produced nothing, as a sentence for the next agent and the report. */
function describeEnding(ending: Ending): string {
  switch (ending.kind) {
    case "turn":
      return "It ended its turn.";
    case "stopped":
      return ending.by === "silence"
        ? "It gave no sign of life for too long and was ended."
        : ending.by === "wall"
          ? "It took too long and was ended."
          : `It was stopped (${ending.by}).`;
    case "crashed":
      return `The agent's program failed: ${oneLine(ending.text, 300)}`;
    case "refused":
      return `The model refused: ${oneLine(ending.text, 300)}`;
    case "too-long":
      return `The prompt is too long: ${oneLine(ending.text, 300)}`;
    default:
      return oneLine(ending.text, 300);
  }
}
