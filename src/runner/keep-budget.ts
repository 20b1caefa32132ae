import type { Usage } from "../agents/port.ts";
import type { AgentChoice } from "../run/agent-choice.ts";
import { findPrice, type Price } from "../run/prices.ts";
import {
  budgetLeft,
  type Budgets,
  check,
  type Meter,
  noteEnd,
  noteStart,
  noteUse,
  type Reached,
  type Start,
  type Task,
  timeLeft,
  totalSpent,
} from "./budget.ts";
import type { Budget, Spent } from "./events.ts";
import { spentOf } from "./spent.ts";

/** Keeps the meter of a run that is going on. */
export interface BudgetKeeper {
  begin(start: Start): void;
  /** What this start of an agent has used in all so far, and the bound that it reaches. */
  use(start: Start, usage: Usage): { readonly spent: Spent; readonly over?: Reached };
  end(start: Start): void;
  /** Without news: time passes by itself. */
  check(task?: Task): Reached | undefined;
  spent(task?: Task): Spent;
  left(): Budget;
  /** When to look again, in milliseconds, if time is bounded. */
  timeLeft(task?: Task): number | undefined;
}

export function keepBudget(
  meter: Meter,
  budgets: Budgets,
  prices: readonly Price[],
  now: () => number = Date.now,
): BudgetKeeper {
  let held = meter;
  return {
    begin: (start) => void (held = noteStart(held, start, now())),
    use: (start, usage) => {
      const spent = spentOf(usage, prices);
      held = noteUse(held, start, spent, now());
      const over = check(held, budgets, now(), start);
      return over === undefined ? { spent } : { spent, over };
    },
    end: ({ key }) => void (held = noteEnd(held, key, now())),
    check: (task) => check(held, budgets, now(), task),
    spent: (task) => totalSpent(held, task),
    left: () => budgetLeft(held, budgets.run, now()),
    timeLeft: (task) => timeLeft(held, budgets, now(), task),
  };
}

/** One line at the start if a bound on cost cannot be kept: nobody would know what it costs. */
export function warnOfCost(
  { run, task }: Budgets,
  choices: readonly AgentChoice[],
  prices: readonly Price[],
  reportsCost: (agent: string) => boolean,
): string | undefined {
  if (run.usd === undefined && task.usd === undefined) return undefined;
  // Which model an agent takes if none is named turns out later.
  const hasPrice = (model: string | undefined): boolean =>
    model === undefined ? prices.length > 0 : findPrice(prices, model) !== undefined;
  const silent = choices.filter(({ agent, model }) => !reportsCost(agent) && !hasPrice(model));
  const names = [...new Set(silent.map(({ agent }) => agent))];
  if (names.length === 0) return undefined;
  const instead =
    run.tokens === undefined && task.tokens === undefined
      ? "set prices in your settings, or --max-tokens"
      : "the bound on tokens still holds";
  return `${names.join(" and ")} ${names.length === 1 ? "does" : "do"} not report what it costs, and your settings have no price for it: --max-cost cannot be kept there; ${instead}`;
}
