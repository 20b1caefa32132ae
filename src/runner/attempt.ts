import type { Agent, AgentEvent, Ending, Outcome, StopReason, Usage } from "../agents/port.ts";
import { NO_TOKENS } from "../agents/port.ts";
import { oneLine } from "../text/template.ts";
import type { Reached, Start } from "./budget.ts";
import type { Job } from "./coordinator.ts";
import type { Spent } from "./events.ts";
import { noteEnding, pickAgent } from "./pool.ts";
import { sleepUntil } from "./sleep.ts";
import type { About, Choice, Stage, WorkPlace } from "./stage.ts";

/** What one attempt is to do, and where. */
export interface Attempt {
  readonly about: About;
  readonly job: Job;
  readonly prompt: string;
  readonly instructions: string;
  readonly place: WorkPlace;
  /** Aborts if the user skips this task. */
  readonly signal: AbortSignal;
  /** Puts the work back to where the attempt began, before another agent begins it anew. */
  readonly rewind: () => Promise<void>;
}

/** How an attempt ended, whoever had to be tried for it. Only `turn` and `failed` are attempts. */
export type AttemptEnd = { readonly agent: string; readonly usage: Usage; readonly ms: number } & (
  | { readonly kind: "turn"; readonly report: string }
  | { readonly kind: "failed"; readonly reason: string }
  /** Nobody can take such a long prompt: the task has to change. */
  | { readonly kind: "too-long"; readonly reason: string }
  | { readonly kind: "over-budget"; readonly scope: "task" | "run"; readonly reason: string }
  | { readonly kind: "unavailable"; readonly reason: string }
  | { readonly kind: "stopped" }
);

/** How many agents are started for one attempt, however many limits there are to wait for. */
const MAX_STARTS = 200;
const MAX_CRASHES = 3;

/**
 * Starts agents until one of them has ended its turn or has failed for good. Limits, busy services and logins that are
 * missing cost no attempt: they are waited for, or another agent goes on.
 */
export async function runAttempt(stage: Stage, attempt: Attempt): Promise<AttemptEnd> {
  const unfit = new Set<string>();
  const crashes = new Map<string, number>();
  let last: Ended = { agent: "", usage: { tokens: NO_TOKENS }, ms: 0 };
  let before: string | undefined;
  for (let start = 0; start < MAX_STARTS; start++) {
    if (stage.signal.aborted || attempt.signal.aborted) return { ...last, kind: "stopped" };
    const fit = stage.choose(attempt.job.role).filter(({ agent }) => !unfit.has(agent.id));
    const pick = pickAgent(
      stage.pool,
      fit.map(({ agent }) => agent.id),
      Date.now(),
    );
    if (pick.kind === "none") return { ...last, kind: "unavailable", reason: pick.why };
    if (pick.kind === "wait") {
      const reason = `${pick.id}: ${oneLine(pick.why, 200)}`;
      if (!stage.mayWait) return { ...last, kind: "unavailable", reason };
      stage.emit({ kind: "waiting", until: new Date(pick.until).toISOString(), why: reason });
      const over = await waitWithin(stage, pick.until, attempt);
      if (over !== undefined) return { ...last, kind: "over-budget", ...over };
      continue;
    }
    const choice = fit.find(({ agent }) => agent.id === pick.id) as Choice;
    if (before !== undefined && before !== pick.id)
      stage.emit({ kind: "agent-changed", from: before, to: pick.id, why: "" });
    before = pick.id;
    const { over, ...ended } = await startAgent(stage, attempt, choice, start);
    last = ended;
    const { ending } = ended.outcome;
    stage.pool = noteEnding(stage.pool, pick.id, ending, Date.now());
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
    if (ending.kind === "too-long" || isBroken(ending, crashes, pick.id)) unfit.add(pick.id);
    if (fit.every(({ agent }) => unfit.has(agent.id))) {
      const reason = describeEnding(ending);
      return { ...ended, kind: ending.kind === "too-long" ? "too-long" : "failed", reason };
    }
  }
  return { ...last, kind: "unavailable", reason: `${MAX_STARTS} starts brought nothing` };
}

/** Waiting takes time too: it ends when the budget does. A task's own clock stands while nobody works at it. */
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

interface Ended {
  readonly agent: string;
  readonly usage: Usage;
  readonly ms: number;
}

/** Undefined if another start may bring more. */
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

/** Why an attempt brought nothing, in a sentence for the next agent and the report. */
export function describeEnding(ending: Ending): string {
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

/** One process. It is stopped as soon as a budget is used up. */
async function startAgent(
  stage: Stage,
  { about, job, place, prompt, instructions, signal }: Attempt,
  { agent, model }: Choice,
  start: number,
): Promise<Ended & { readonly outcome: Outcome; readonly over: Reached | undefined }> {
  const beganAt = Date.now();
  const key = `${about.spec}/${about.task}/${about.attempt}/${start}`;
  stage.emit({
    kind: "attempt-started",
    ...about,
    of: job.of,
    role: job.role,
    title: oneLine(job.title, 200),
    agent: agent.id,
    ...(model === undefined ? {} : { model }),
  });
  const stop = new AbortController();
  const abort = (): void => stop.abort("user" satisfies StopReason);
  for (const one of [stage.signal, signal]) one.addEventListener("abort", abort, { once: true });
  let over: Reached | undefined;
  const reach = (bound: Reached | undefined): void => {
    if (bound === undefined || over !== undefined) return;
    over = bound;
    stop.abort("budget" satisfies StopReason);
  };
  const began: Start = { key, agent: agent.id, spec: about.spec, task: about.task };
  const { budget } = stage;
  budget.begin(began);
  const clock = watchClock(stage, about, reach);
  const count = (usage: Usage): Spent => {
    const used = budget.use(began, usage);
    reach(used.over);
    return used.spent;
  };
  const hear = (event: AgentEvent): void => tell(stage, about, agent, event, count);
  const outcome = await agent.run(
    {
      cwd: place.cwd,
      writable: place.writable,
      ...stage.surround(agent, place),
      prompt,
      instructions,
      ...(model === undefined ? {} : { model }),
      limits: stage.limits,
      record: (line) => stage.record(about, agent.id, line),
    },
    hear,
    stop.signal,
  );
  clearTimeout(clock());
  for (const one of [stage.signal, signal]) one.removeEventListener("abort", abort);
  const { usage, ending } = outcome;
  const spent = count(usage);
  budget.end(began);
  const ms = Date.now() - beganAt;
  stage.emit({ kind: "attempt-ended", ...about, ending: shortEnding(ending), ms, spent });
  return { agent: agent.id, usage, ms, outcome, over };
}

/** Time passes without news from the agent. Returns the timer that is set now. */
function watchClock(
  { budget }: Stage,
  about: About,
  reach: (bound: Reached | undefined) => void,
): () => NodeJS.Timeout | undefined {
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    const bound = budget.check(about);
    reach(bound);
    const left = bound === undefined ? budget.timeLeft(about) : undefined;
    if (left !== undefined) timer = setTimeout(look, Math.min(Math.max(left, 10), LOOK_MS));
  };
  look();
  return () => timer;
}

/** The clock may be set while we wait. */
const LOOK_MS = 60_000;

const shortEnding = (ending: Ending): Ending =>
  "text" in ending ? { ...ending, text: oneLine(ending.text, 300) } : ending;

function tell(
  { emit }: Stage,
  about: About,
  { name }: Agent,
  event: AgentEvent,
  count: (usage: Usage) => Spent,
): void {
  switch (event.kind) {
    case "tool":
      return emit({ kind: "action", ...about, text: oneLine(event.title, 200) });
    case "text":
      return emit({ kind: "action", ...about, text: oneLine(event.text, 200) });
    case "usage":
      return emit({ kind: "usage", ...about, spent: count(event.usage) });
    case "retry": {
      const of = event.of === undefined ? "" : ` of ${event.of}`;
      const status = event.status === undefined ? "" : ` (${event.status})`;
      const text = `${name}'s service does not answer${status}: try ${event.attempt}${of}`;
      return emit({ kind: "retry", ...about, text });
    }
    case "quota": {
      const until = event.resetsAt === undefined ? "" : `; it is reset at ${event.resetsAt}`;
      return emit({ kind: "note", text: `${name} is near its usage limit${until}` });
    }
    default:
      return undefined;
  }
}
