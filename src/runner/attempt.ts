import type { Ending, Outcome } from "../agents/port.ts";
import { NO_TOKENS } from "../agents/port.ts";
import { NOTHING, sumSpent } from "../run/cost.ts";
import { oneLine } from "../text/template.ts";
import type { Reached } from "./budget.ts";
import { choicesFor, nameOf, relievedOf } from "./choices.ts";
import { noteEnding, pickAgent } from "./pool.ts";
import { sleepUntil } from "./sleep.ts";
import type { Choice, Stage } from "./stage.ts";
import { type Attempt, type Ended, startAgent } from "./start-agent.ts";
import { describeEnding } from "./view/endings.ts";

/** How an attempt ended, however many agents it took. Only `turn` and `failed` count as attempts. */
export type AttemptEnd = Ended &
  (
    | { readonly kind: "turn"; readonly report: string }
    | { readonly kind: "failed"; readonly reason: string }
    /** The prompt is too long for every agent: the task has to change. */
    | { readonly kind: "too-long"; readonly reason: string }
    | { readonly kind: "over-budget"; readonly scope: "task" | "run"; readonly reason: string }
    /** Every agent that could work was busy for as long as the run is patient. */
    | { readonly kind: "busy"; readonly reason: string }
    | { readonly kind: "unavailable"; readonly reason: string }
    /** The disk was full for as long as the run waits. */
    | { readonly kind: "no-room"; readonly reason: string }
    | { readonly kind: "stopped" }
  );

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
  const choices = choicesFor(stage, attempt.about, attempt.job);
  let { from, why } = relievedOf(stage, attempt.about, attempt.job, choices);
  let last: Ended = { agent: "", choice: "", usage: { tokens: NO_TOKENS }, spent: NOTHING };
  let wasBusy = false;
  for (let start = 0; start < MAX_STARTS; start++) {
    if (stage.signal.aborted || attempt.signal.aborted) return { ...last, kind: "stopped" };
    const spent = stage.budget.check(attempt.about);
    if (spent !== undefined)
      return { ...last, kind: "over-budget", scope: spent.scope, reason: spent.text };
    const fit = choices.filter((one) => !unfit.has(nameOf(one)));
    // What keeps an agent from working rarely depends on its model.
    const ids = new Set(fit.map(({ agent }) => agent.id));
    const pick = pickAgent(stage.pool, [...ids], Date.now());
    if (pick.kind === "none")
      return { ...last, kind: wasBusy ? "busy" : "unavailable", reason: pick.why };
    if (pick.kind === "wait") {
      const reason = `${pick.id}: ${oneLine(pick.why, 200)}`;
      if (!stage.mayWait) return { ...last, kind: "unavailable", reason };
      stage.emit({ kind: "waiting", until: new Date(pick.until).toISOString(), why: reason });
      const over = await waitWithin(stage, pick.until, attempt);
      if (over !== undefined) return { ...last, kind: "over-budget", ...over };
      continue;
    }
    const choice = fit.find(({ agent }) => agent.id === pick.id) as Choice;
    const to = nameOf(choice);
    if (from !== "" && from !== to) stage.emit({ kind: "agent-changed", from, to, why });
    from = to;
    const begun = await stage.slots(async () => {
      const reason = await stage.room([stage.signal, attempt.signal, stage.timeUp]);
      if (reason !== undefined) return { reason };
      // The user may have stopped the run while this attempt waited for a slot.
      return stage.signal.aborted || attempt.signal.aborted
        ? undefined
        : startAgent(stage, attempt, choice);
    });
    if (begun === undefined) return { ...last, kind: "stopped" };
    if ("reason" in begun) return { ...last, kind: "no-room", ...begun };
    const { over, ...started } = begun;
    const ended = { ...started, spent: sumSpent([last, started]) };
    last = ended;
    const { ending } = ended.outcome;
    why = describeEnding(ending);
    wasBusy ||= ending.kind === "busy";
    stage.pool = noteEnding(stage.pool, pick.id, ending, Date.now(), stage.maxBusyMs);
    const settled = settle(ending, ended, over);
    if (settled !== undefined) return settled;
    if (ending.kind === "limit")
      stage.emit({
        kind: "limit",
        agent: pick.id,
        until: ending.resetsAt ?? null,
        text: oneLine(ending.text, 300),
      });
    await attempt.rewind();
    if (ending.kind === "too-long" || isBroken(ending, crashes, to)) unfit.add(to);
    if (fit.every((one) => unfit.has(nameOf(one)))) {
      return { ...ended, kind: ending.kind === "too-long" ? "too-long" : "failed", reason: why };
    }
  }
  return { ...last, kind: "unavailable", reason: `${MAX_STARTS} starts without a result` };
}

/** Waits no longer than the run's budget allows. A task's own clock does not run meanwhile. */
async function waitWithin(
  { budget, signal }: Stage,
  until: number,
  attempt: Attempt,
): Promise<{ readonly scope: "run"; readonly reason: string } | undefined> {
  const left = budget.timeLeft();
  const end = left === undefined ? until : Math.min(until, Date.now() + left);
  await sleepUntil(end, [signal, attempt.signal]);
  const over = end < until ? budget.check() : undefined;
  return over === undefined ? undefined : { scope: "run", reason: over.text };
}

/** Undefined if another start may help. */
function settle(
  ending: Ending,
  { outcome, ...ended }: Ended & { readonly outcome: Outcome },
  over: Reached | undefined,
): AttemptEnd | undefined {
  switch (ending.kind) {
    case "turn":
      return { ...ended, kind: "turn", report: outcome.report };
    case "refused":
      return { ...ended, kind: "failed", reason: describeEnding(ending) };
    case "stopped":
      if (ending.by === "user") return { ...ended, kind: "stopped" };
      if (ending.by === "budget" && over !== undefined)
        return { ...ended, kind: "over-budget", scope: over.scope, reason: over.text };
      return { ...ended, kind: "failed", reason: describeEnding(ending) };
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
