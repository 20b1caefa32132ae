import * as fc from "fast-check";
import { expect, it } from "vitest";
import { makeRunLog } from "../../../test/support/run-log.ts";
import { budgetLeft } from "../budget.ts";
import type { Budget, RunEvent } from "../events.ts";
import { keepBudget } from "../keep-budget.ts";
import {
  countEvent,
  resumeMeter,
  startMeter,
  timeSpent,
  totalSpent,
  usedBefore,
} from "../meter.ts";
import type { ViewModel } from "./model.ts";
import { reduceAll } from "./reduce.ts";

const log = makeRunLog().events;
const [first] = log as [Extract<RunEvent, { kind: "run-started" }>];
const DAY = 86_400_000;
const later = <E extends RunEvent>(event: E, ms: number): E => ({
  ...event,
  at: new Date(Date.parse(event.at) + ms).toISOString(),
});
const leftOf = ({ meter, budget }: ViewModel, now: number): Budget =>
  budgetLeft(meter, budget, now);
const near = (left: Budget): object =>
  Object.fromEntries(
    Object.entries(left).map(([name, value]) => [name, expect.closeTo(value as number, 6)]),
  );

/** The logs of the same night in several runs: each is killed after some of it, and the next continues it. */
function killedAt(cuts: readonly number[], budget: Budget): RunEvent[][] {
  const logs: RunEvent[][] = [];
  const ends = [...new Set(cuts)].sort((a, b) => a - b);
  let at = 1;
  for (const [i, end] of ends.entries()) {
    const away = i * DAY;
    const began = later(first, away + Date.parse((log[at - 1] ?? first).at) - Date.parse(first.at));
    const before = usedBefore(resumeMeter(logs.flat(), Date.parse(began.at)));
    const start = { ...began, budget, ...(before === undefined ? {} : { before }) };
    logs.push([start, ...log.slice(at, end).map((event) => later(event, away))]);
    at = end;
  }
  return logs;
}

it("a view shows what is left by the count that ends the run, however often it was killed", () => {
  const cut = fc.integer({ min: 2, max: log.length - 1 });
  const bounds = fc.record(
    {
      usd: fc.double({ min: 0, max: 8, noNaN: true }),
      tokens: fc.integer({ min: 0, max: 1_500_000 }),
      ms: fc.integer({ min: 0, max: DAY }),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.array(cut, { minLength: 1, maxLength: 4 }), bounds, (cuts, budget) => {
      const logs = killedAt(cuts, budget);
      const last = logs.at(-1) ?? [];
      const now = Date.parse((last.at(-1) as RunEvent).at) + 1000;
      // As the run counts: from what it continues, then as it goes.
      const [start, ...own] = last as [RunEvent, ...RunEvent[]];
      const resumed = resumeMeter(logs.slice(0, -1).flat(), Date.parse(start.at));
      const meter = own.reduce(countEvent, resumed);
      const left = leftOf(reduceAll(last), now);
      expect(left).toEqual(near(budgetLeft(meter, budget, now)));
      const keeper = keepBudget(meter, { run: budget, task: {} }, [], () => now);
      expect(keeper.check() !== undefined).toBe(Object.values(left).includes(0));
      expect(keeper.timeLeft()).toBe(left.ms);
      // Older versions did not say what they continued; read one after the other, their logs do.
      const silent = logs.flat().map((event) => {
        if (event.kind !== "run-started") return event;
        const { before: _, ...rest } = event;
        return rest;
      });
      expect(leftOf(reduceAll(silent), now)).toEqual(near(left));
    }),
  );
});

it("what each task used before its run was killed is known to the next", () => {
  const [one = [], two = []] = killedAt([60, 61], {});
  const meter = two.reduce(countEvent, startMeter());
  const killed = one.reduce(countEvent, startMeter());
  const at = Date.parse((one.at(-1) as RunEvent).at);
  for (const task of ["1.1", "1.2", "1.3"].map((id) => ({ spec: "user-export", task: id }))) {
    const ms = timeSpent(killed, at, task);
    expect(totalSpent(meter, task)).toEqual({ ...totalSpent(killed, task), ms });
    expect(timeSpent(meter, at + DAY, task)).toBe(ms);
  }
});

it("a run that has ended leaves the next its whole budget", () => {
  const again = later({ ...first, budget: { usd: 6, tokens: 10, ms: DAY } }, DAY);
  const model = reduceAll([...log, again]);
  expect(leftOf(model, Date.parse(again.at) + 5)).toEqual({ usd: 6, tokens: 10, ms: DAY - 5 });
});
