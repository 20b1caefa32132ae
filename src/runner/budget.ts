import { formatMoney, formatTime, formatTokens } from "../run/cost.ts";
import type { Budget, RunEvent, Spent } from "./events.ts";
import { addSpent, laterOf, NOTHING, totalOf } from "./spent.ts";

/** One start of an agent: after a limit or a crash, one attempt needs several. */
export interface Start {
  readonly key: string;
  readonly agent: string;
  readonly spec: string;
  readonly task: string;
}

interface Use extends Start {
  /** Undefined until the agent has reported anything. */
  readonly spent: Spent | undefined;
  readonly began: number;
  readonly ended: number | undefined;
}

/** What the agents of a run have used. Times are in milliseconds since 1970. */
export interface Meter {
  readonly began: number;
  /** How long the run took before it was killed and begun again. */
  readonly earlierMs: number;
  readonly uses: ReadonlyMap<string, Use>;
}

export const startMeter = (now: number): Meter => ({ began: now, earlierMs: 0, uses: new Map() });

export const noteStart = (meter: Meter, { key, agent, spec, task }: Start, now: number): Meter =>
  withUse(meter, { key, agent, spec, task, spent: undefined, began: now, ended: undefined });

/** `spent` is all that this start has used so far. */
export function noteUse(meter: Meter, start: Start, spent: Spent, now: number): Meter {
  const begun = meter.uses.has(start.key) ? meter : noteStart(meter, start, now);
  const use = begun.uses.get(start.key) as Use;
  const later = use.spent === undefined ? spent : laterOf(use.spent, spent);
  return withUse(begun, { ...use, spent: later });
}

export function noteEnd(meter: Meter, key: string, now: number): Meter {
  const use = meter.uses.get(key);
  return use === undefined || use.ended !== undefined
    ? meter
    : withUse(meter, { ...use, ended: Math.max(now, use.began) });
}

const withUse = (meter: Meter, use: Use): Meter => ({
  ...meter,
  uses: new Map(meter.uses).set(use.key, use),
});

/** The meter of a run that was killed, from its events. A run that has ended does not count: the next has a new budget. */
export function resumeMeter(events: readonly RunEvent[], now: number): Meter {
  let meter = startMeter(now);
  let [first, last] = [now, now];
  const starts = new Map<string, Start>();
  for (const event of events) {
    const at = Math.min(timeOf(event.at) ?? last, now);
    if (event.kind === "run-ended") meter = startMeter(now);
    else if (event.kind === "run-started") {
      meter = endAll(meter, first, last);
      first = at;
    } else if ("attempt" in event) {
      const about = `${event.spec}\0${event.task}\0${event.attempt}`;
      const { spec, task } = event;
      if (event.kind === "attempt-started") {
        const key = `earlier ${meter.uses.size + 1}`;
        starts.set(about, { key, agent: event.agent, spec, task });
      }
      const start = starts.get(about) ?? { key: about, agent: "", spec, task };
      if (event.kind === "attempt-started") meter = noteStart(meter, start, at);
      else if (event.kind === "usage") meter = noteUse(meter, start, event.spent, at);
      else if (event.kind === "attempt-ended")
        meter = noteEnd(noteUse(meter, start, event.spent, at), start.key, at);
    }
    last = at;
    if (event.kind === "run-ended") [first, last] = [now, now];
  }
  return { ...endAll(meter, first, last), began: now };
}

/** The run was killed, and its agents with it. */
function endAll(meter: Meter, first: number, last: number): Meter {
  const ended = [...meter.uses.keys()].reduce((one, key) => noteEnd(one, key, last), meter);
  return { ...ended, earlierMs: meter.earlierMs + Math.max(last - first, 0) };
}

function timeOf(at: string): number | undefined {
  const time = Date.parse(at);
  return Number.isNaN(time) ? undefined : time;
}

export interface Task {
  readonly spec: string;
  readonly task: string;
}

const usesOf = ({ uses }: Meter, task: Task | undefined): Use[] =>
  [...uses.values()].filter(
    (use) => task === undefined || (use.spec === task.spec && use.task === task.task),
  );

/** What was used for one task, or by the whole run. */
export const totalSpent = (meter: Meter, task?: Task): Spent =>
  usesOf(meter, task).reduce((sum, { spent = NOTHING }) => addSpent(sum, spent), NOTHING);

/**
 * The best estimate of the cost. Some agents report it only at their end; until then, a token counts as much as it cost in
 * their earlier starts.
 */
export function expectedUsd(meter: Meter, task?: Task): number | null {
  const { usd } = totalSpent(meter, task);
  const guesses = usesOf(meter, task).flatMap(({ agent, ended, spent }) => {
    if (spent === undefined || spent.usd !== null || ended !== undefined) return [];
    const rate = usdPerToken(meter, agent);
    return rate === undefined ? [] : [rate * totalOf(spent.tokens)];
  });
  if (guesses.length === 0) return usd;
  return guesses.reduce((sum, guess) => sum + guess, usd ?? 0);
}

function usdPerToken({ uses }: Meter, agent: string): number | undefined {
  const known = [...uses.values()].filter(
    (use) => use.agent === agent && use.ended !== undefined && (use.spent?.usd ?? 0) > 0,
  );
  const { usd, tokens } = known.reduce((sum, { spent = NOTHING }) => addSpent(sum, spent), NOTHING);
  return usd === null || totalOf(tokens) === 0 ? undefined : usd / totalOf(tokens);
}

/** A run's time is wall-clock time, waiting included; a task's is how long its agents worked. */
export function timeSpent(meter: Meter, now: number, task?: Task): number {
  if (task === undefined) return meter.earlierMs + Math.max(now - meter.began, 0);
  return usesOf(meter, task).reduce(
    (sum, { began, ended }) => sum + Math.max((ended ?? now) - began, 0),
    0,
  );
}

/** The bound that is reached, in words for the user. */
export interface Reached {
  readonly scope: "task" | "run";
  readonly bound: keyof Budget;
  readonly text: string;
}

export interface Budgets {
  readonly run: Budget;
  readonly task: Budget;
}

/** The run's bounds come first: they end everything. */
export const check = (
  meter: Meter,
  budgets: Budgets,
  now: number,
  task?: Task,
): Reached | undefined =>
  checkOne("run", meter, budgets.run, now) ??
  (task === undefined ? undefined : checkOne("task", meter, budgets.task, now, task));

function checkOne(
  scope: Reached["scope"],
  meter: Meter,
  { usd, tokens, ms }: Budget,
  now: number,
  task?: Task,
): Reached | undefined {
  const spent = totalSpent(meter, task);
  const cost = expectedUsd(meter, task);
  const used = totalOf(spent.tokens);
  const took = timeSpent(meter, now, task);
  const name = task === undefined ? "the run" : `task ${task.task}`;
  const reached = (bound: keyof Budget, text: string): Reached => ({
    scope,
    bound,
    text: `${name} has used its budget: ${text}`,
  });
  if (usd !== undefined && cost !== null && cost >= usd) {
    const text = cost === spent.usd ? formatCost(spent) : `about ${formatMoney(cost)}`;
    return reached("usd", `${text} of ${formatMoney(usd)}`);
  }
  if (tokens !== undefined && used >= tokens)
    return reached("tokens", `${formatTokens(used)} of ${formatTokens(tokens)}`);
  if (ms !== undefined && took >= ms)
    return reached("ms", `${formatTime(took)} of ${formatTime(ms)}`);
  return undefined;
}

/** `$1.20`, `$1.20 by your prices`, `at least $1.20`, `an unknown cost`. */
export function formatCost({ usd, source }: Spent): string {
  if (usd === null) return "an unknown cost";
  if (source === "unknown") return `at least ${formatMoney(usd)}`;
  return source === "prices" ? `${formatMoney(usd)} by your prices` : formatMoney(usd);
}

/** What is left of each bound that is set. */
export function budgetLeft(meter: Meter, budget: Budget, now: number, task?: Task): Budget {
  const { tokens } = totalSpent(meter, task);
  const rest = (bound: number, used: number): number => Math.max(bound - used, 0);
  return {
    ...(budget.usd === undefined ? {} : { usd: rest(budget.usd, expectedUsd(meter, task) ?? 0) }),
    ...(budget.tokens === undefined ? {} : { tokens: rest(budget.tokens, totalOf(tokens)) }),
    ...(budget.ms === undefined ? {} : { ms: rest(budget.ms, timeSpent(meter, now, task)) }),
  };
}

/** After how many milliseconds a bound on time is reached, if the task's agent keeps working. */
export function timeLeft(
  meter: Meter,
  budgets: Budgets,
  now: number,
  task?: Task,
): number | undefined {
  const left = [
    budgetLeft(meter, budgets.run, now).ms,
    ...(task === undefined ? [] : [budgetLeft(meter, budgets.task, now, task).ms]),
  ].filter((ms) => ms !== undefined);
  return left.length === 0 ? undefined : Math.min(...left);
}
