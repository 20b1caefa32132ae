import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HEAD } from "../../test/support/run-log.ts";
import { type CostSource, type Spent, sumSpent } from "../run/cost.ts";
import { budgetLeft, type Budgets, check, timeLeft } from "./budget.ts";
import type { PricedUsage, RunEvent } from "./events.ts";
import {
  type Meter,
  noteEnd,
  noteStart,
  noteUse,
  resumeMeter,
  startMeter,
  timeSpent,
  totalSpent,
} from "./meter.ts";
import { priceUsage, spentIn } from "./spent.ts";

const priced = (input: number, usd: number | null = null, source?: CostSource): PricedUsage => ({
  tokens: { input, cached: 0, output: 0 },
  usd,
  source: source ?? (usd === null ? "unknown" : "agent"),
});
const spent = (...args: Parameters<typeof priced>): Spent => spentIn(priced(...args));
const start = (attempt: number, task = "1.1", agent = "claude") => ({
  spec: "demo",
  task,
  attempt,
  agent,
});
const use = (meter: Meter, attempt: number, what: Spent, task?: string): Meter =>
  noteUse(meter, start(attempt, task), what, 0);
const none: Budgets = { run: {}, task: {} };

describe("the meter", () => {
  it("takes what one start has used as a sum, and adds up starts, tasks and the run", () => {
    let meter = startMeter(0);
    meter = use(meter, 1, spent(100, 1));
    meter = use(meter, 1, spent(250, 2));
    meter = use(meter, 2, spent(10, 0.5));
    meter = use(meter, 3, spent(1000, 4), "1.2");
    expect(totalSpent(meter, { spec: "demo", task: "1.1" })).toEqual(spent(260, 2.5));
    expect(totalSpent(meter)).toEqual(spent(1260, 6.5));
    expect(totalSpent(meter, { spec: "other", task: "1.1" }).tokens).toBeNull();
  });

  it("a sum says where each part of its cost comes from", () => {
    const one = use(startMeter(0), 1, spent(1, 1));
    const two = use(one, 2, spent(1, 1, "prices"));
    expect(totalSpent(two)).toMatchObject({ usd: 2, sources: ["agent", "prices"] });
    const three = use(two, 3, spent(1));
    expect(totalSpent(three)).toMatchObject({ usd: 2, sources: ["agent", "prices", "unknown"] });
  });

  it("the cost that the agent reports at its end beats the one from prices", () => {
    const meter = use(use(startMeter(0), 1, spent(9, 3, "prices")), 1, spent(9, 2));
    expect(totalSpent(meter)).toEqual(spent(9, 2));
  });

  it("a run's clock always runs, a task's only while its agents work", () => {
    let meter = noteStart(startMeter(1000), start(1), 2000);
    expect(timeSpent(meter, 5000)).toBe(4000);
    expect(timeSpent(meter, 5000, start(1))).toBe(3000);
    meter = noteEnd(meter, start(1), 6000);
    meter = noteEnd(meter, start(1), 9000);
    expect(timeSpent(meter, 9000, start(1))).toBe(4000);
    // A clock that is set back does not make the time negative.
    expect(timeSpent(meter, 0)).toBe(0);
  });
});

describe("check", () => {
  const meter = use(startMeter(0), 1, spent(500_000, 5));
  it.each<[budgets: Budgets, now: number, says: string | undefined]>([
    [none, 1e9, undefined],
    [{ run: { usd: 5.01 }, task: {} }, 0, undefined],
    [{ run: { usd: 5 }, task: {} }, 0, "the run has used its budget: $5.00 of $5.00"],
    [{ run: {}, task: { usd: 2 } }, 0, "task 1.1 has used its budget: $5.00 of $2.00"],
    [
      { run: { tokens: 400_000 }, task: {} },
      0,
      "the run has used its budget: 500k tokens of 400k tokens",
    ],
    [{ run: {}, task: { tokens: 500_001 } }, 0, undefined],
    [{ run: { ms: 60_000 }, task: {} }, 59_999, undefined],
    [{ run: { ms: 60_000 }, task: {} }, 61_000, "the run has used its budget: 1 min 1 s of 1 min"],
    [{ run: {}, task: { ms: 60_000 } }, 60_000, "task 1.1 has used its budget: 1 min of 1 min"],
    // The run's bound comes first: it ends more.
    [{ run: { usd: 1 }, task: { usd: 1 } }, 0, "the run has used its budget: $5.00 of $1.00"],
  ])("%j at %s: %s", (budgets, now, says) => {
    expect(check(meter, budgets, now, start(1))?.text).toBe(says);
  });

  it("a task's bound is about that task alone", () => {
    const budgets = { run: {}, task: { tokens: 1000 } };
    expect(check(meter, budgets, 0, start(2, "1.2"))).toBeUndefined();
    expect(check(meter, budgets, 0)).toBeUndefined();
  });

  it("an unknown cost reaches no bound on cost, but one on tokens", () => {
    const unknown = use(startMeter(0), 1, spent(500));
    expect(check(unknown, { run: { usd: 0.01 }, task: {} }, 0)).toBeUndefined();
    expect(check(unknown, { run: { usd: 0.01, tokens: 500 }, task: {} }, 0)?.bound).toBe("tokens");
  });

  it("the cost of an agent that reports it only at its end is estimated from its earlier tokens", () => {
    const before = noteEnd(use(startMeter(0), 1, spent(1000, 2)), start(1), 1);
    const running = use(before, 2, spent(1500));
    expect(totalSpent(running).usd).toBeCloseTo(5, 9);
    expect(check(running, { run: { usd: 5 }, task: {} }, 1)?.text).toContain("~$5.00 of $5.00");
    // Another agent's cost does not count, and the estimate ends with the start.
    const other = noteUse(before, start(2, "1.1", "codex"), spent(1500), 0);
    expect(totalSpent(other).usd).toBe(2);
    expect(totalSpent(noteEnd(running, start(2), 2)).usd).toBe(2);
  });
});

it("says what is left, and when to look again", () => {
  const meter = noteStart(use(startMeter(0), 1, spent(100, 2)), start(2), 1000);
  const run = { usd: 5, tokens: 50, ms: 10_000 };
  expect(budgetLeft(meter, run, 4000)).toEqual({ usd: 3, tokens: 0, ms: 6000 });
  expect(budgetLeft(meter, {}, 4000)).toEqual({});
  expect(timeLeft(meter, none, 4000)).toBeUndefined();
  expect(timeLeft(meter, { run, task: {} }, 4000)).toBe(6000);
  expect(timeLeft(meter, { run, task: { ms: 8000 } }, 4000, start(2))).toBe(1000);
});

describe("a run that was killed", () => {
  const about = { spec: "demo", task: "1.1", attempt: 1 };
  const at = (seconds: number): string => new Date(seconds * 1000).toISOString();
  const begins = (seconds: number): RunEvent => ({
    ...HEAD,
    at: at(seconds),
    kind: "run-started",
    run: "r",
    version: "1",
    pid: 1,
    agents: [],
    parallel: 1,
    budget: {},
    sandbox: "none",
  });
  const starts = (seconds: number): RunEvent => ({
    ...HEAD,
    at: at(seconds),
    kind: "attempt-started",
    ...about,
    of: 5,
    role: "execution",
    title: "t",
    agent: "claude",
  });
  const uses = (seconds: number, what: PricedUsage): RunEvent => ({
    ...HEAD,
    at: at(seconds),
    kind: "usage",
    ...about,
    spent: what,
  });
  const ends = (seconds: number, what: PricedUsage): RunEvent => ({
    ...HEAD,
    at: at(seconds),
    kind: "attempt-ended",
    ...about,
    ending: { kind: "limit", text: "" },
    ms: 1,
    spent: what,
  });
  const over = (seconds: number): RunEvent => ({
    ...HEAD,
    at: at(seconds),
    kind: "run-ended",
    status: "stopped",
    done: 0,
    total: 1,
    text: "",
  });

  it("keeps what it has used, but not the time in which it was dead", () => {
    const events = [
      begins(0),
      starts(10),
      uses(20, priced(100)),
      ends(30, priced(120, 1)),
      starts(40),
      uses(50, priced(70)),
      begins(1000),
      starts(1010),
      uses(1020, priced(5, 0.1)),
    ];
    const meter = resumeMeter(events, 5_000_000);
    expect(totalSpent(meter).tokens).toBe(195);
    expect(totalSpent(meter).usd).toBeCloseTo(1.1, 9);
    expect(timeSpent(meter, 5_000_000)).toBe(70_000);
    expect(timeSpent(meter, 5_003_000)).toBe(73_000);
    // 10 to 30, 40 to 50, 1010 to 1020: until the run was last seen.
    expect(timeSpent(meter, 9_000_000, start(9))).toBe(40_000);
  });

  it("has a new budget once it has ended", () => {
    const meter = resumeMeter([begins(0), starts(1), ends(9, priced(9, 9)), over(10)], 50_000);
    expect(meter).toEqual(startMeter(50_000));
  });
});

it("never has less than before, and never less than nothing", () => {
  const amount = fc.integer({ min: -5, max: 1000 });
  const usage = fc.record({
    tokens: fc.record({ input: amount, cached: amount, output: amount }),
    usd: fc.oneof(fc.double({ min: -1, max: 10 }), fc.constant(Number.NaN)),
  });
  const news = fc.record({
    attempt: fc.constantFrom(1, 2, 3),
    task: fc.constantFrom("1", "2"),
    usage,
    ends: fc.boolean(),
    passes: fc.integer({ min: 0, max: 100 }),
  });
  const reported = ({ uses }: Meter): number => sumSpent(uses).usd ?? 0;
  fc.assert(
    fc.property(fc.array(news, { maxLength: 30 }), (all) => {
      let meter = startMeter(0);
      let now = 0;
      for (const { attempt, task, usage: used, ends, passes } of all) {
        const [total, cost, time] = [totalSpent(meter), reported(meter), timeSpent(meter, now)];
        const left = budgetLeft(meter, { tokens: 3000, ms: 500 }, now);
        now += passes;
        meter = noteUse(meter, start(attempt, task), spentIn(priceUsage(used, [])), now);
        if (ends) meter = noteEnd(meter, start(attempt, task), now);
        const then = totalSpent(meter);
        expect(then.tokens ?? 0).toBeGreaterThanOrEqual(total.tokens ?? 0);
        // Without estimates: those end with their start.
        expect(reported(meter)).toBeGreaterThanOrEqual(cost - 1e-9);
        expect(timeSpent(meter, now)).toBeGreaterThanOrEqual(time);
        const after = budgetLeft(meter, { tokens: 3000, ms: 500 }, now);
        for (const kind of ["tokens", "ms"] as const) {
          expect(after[kind]).toBeGreaterThanOrEqual(0);
          expect(after[kind]).toBeLessThanOrEqual(left[kind] as number);
        }
        const tasks = ["1", "2"].map((id) => totalSpent(meter, { spec: "demo", task: id }));
        const parts = tasks.reduce((sum, one) => sum + (one.tokens ?? 0), 0);
        expect(parts).toBe(then.tokens ?? 0);
      }
    }),
  );
});
