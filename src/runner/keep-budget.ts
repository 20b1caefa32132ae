import type { Usage } from "../agents/port.ts";
import type { AgentChoice } from "../run/agent-choice.ts";
import { findPrice, type Price } from "../run/prices.ts";
import { type Budgets, check, type Reached, timeLeft } from "./budget.ts";
import type { PricedUsage } from "./events.ts";
import { type Meter, noteEnd, noteStart, noteUse, type Start, type Task } from "./meter.ts";
import { priceUsage, spentIn } from "./spent.ts";

/** Keeps the meter of the current run. */
export interface BudgetKeeper {
  begin(start: Start): void;
  /** Records the total of this start so far; returns it, with the bound that it reaches. */
  use(start: Start, usage: Usage): { readonly used: PricedUsage; readonly over?: Reached };
  end(start: Start): void;
  /** Checks again without new usage, because time passes. */
  check(task?: Task): Reached | undefined;
  /** When to look again, in milliseconds, if time is bounded. */
  timeLeft(task?: Task): number | undefined;
}

export function keepBudget(
  meter: Meter,
  budgets: Budgets,
  prices: readonly Price[],
  now: () => number = Date.now,
): BudgetKeeper {
  let current = meter;
  return {
    begin: (start) => void (current = noteStart(current, start, now())),
    use: (start, usage) => {
      const used = priceUsage(usage, prices);
      current = noteUse(current, start, spentIn(used), now());
      const over = check(current, budgets, now(), start);
      return over === undefined ? { used } : { used, over };
    },
    end: (start) => void (current = noteEnd(current, start, now())),
    check: (task) => check(current, budgets, now(), task),
    timeLeft: (task) => timeLeft(current, budgets, now(), task),
  };
}

/** A warning for the start of a run, if a bound on cost cannot be enforced because the cost is unknown. */
export function warnOfCost(
  { run, task }: Budgets,
  choices: readonly AgentChoice[],
  prices: readonly Price[],
  reportsCost: (agent: string) => boolean,
): string | undefined {
  if (run.usd === undefined && task.usd === undefined) return undefined;
  // If no model is named, it is not known yet which one the agent uses.
  const hasPrice = (model: string | undefined): boolean =>
    model === undefined ? prices.length > 0 : findPrice(prices, model) !== undefined;
  const silent = choices.filter(({ agent, model }) => !reportsCost(agent) && !hasPrice(model));
  const names = [...new Set(silent.map(({ agent }) => agent))];
  if (names.length === 0) return undefined;
  const instead =
    run.tokens === undefined && task.tokens === undefined
      ? "set prices in your settings, or --max-tokens"
      : "the bound on tokens still holds";
  const [verb, its, it] = names.length === 1 ? ["does", "its", "it"] : ["do", "their", "them"];
  return `${names.join(" and ")} ${verb} not report ${its} cost, and your settings have no price for ${it}: --max-cost cannot be enforced there; ${instead}`;
}
