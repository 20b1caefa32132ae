import { formatCost, formatMoney, formatTime, formatTokens } from "../run/cost.ts";
import type { Budget } from "./events.ts";
import { type Meter, type Task, timeSpent, totalSpent } from "./meter.ts";

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
  const used = spent.tokens ?? 0;
  const took = timeSpent(meter, now, task);
  const name = task === undefined ? "the run" : `task ${task.task}`;
  const reached = (bound: keyof Budget, text: string): Reached => ({
    scope,
    bound,
    text: `${name} has used its budget: ${text}`,
  });
  if (usd !== undefined && (spent.usd ?? 0) >= usd)
    return reached("usd", `${formatCost(spent)} of ${formatMoney(usd)}`);
  if (tokens !== undefined && used >= tokens)
    return reached("tokens", `${formatTokens(used)} of ${formatTokens(tokens)}`);
  if (ms !== undefined && took >= ms)
    return reached("ms", `${formatTime(took)} of ${formatTime(ms)}`);
  return undefined;
}

/** What is left of each bound that is set. */
export function budgetLeft(meter: Meter, budget: Budget, now: number, task?: Task): Budget {
  const spent = totalSpent(meter, task);
  const rest = (bound: number, used: number): number => Math.max(bound - used, 0);
  return {
    ...(budget.usd === undefined ? {} : { usd: rest(budget.usd, spent.usd ?? 0) }),
    ...(budget.tokens === undefined ? {} : { tokens: rest(budget.tokens, spent.tokens ?? 0) }),
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
