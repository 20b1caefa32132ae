import { expect, it } from "vitest";
import { keepBudget, warnOfCost } from "./keep-budget.ts";
import { startMeter } from "./meter.ts";

const start = (task: string) => ({ agent: "claude", spec: "demo", task, attempt: 1 });

it("a keeper says what was spent and what that reaches, as it happens", () => {
  let now = 0;
  const budgets = { run: { usd: 10 }, task: { tokens: 100, ms: 5000 } };
  const keeper = keepBudget(startMeter(0), budgets, [], () => now);
  const one = start("1.1");
  keeper.begin(one);
  const usage = (input: number) => ({ tokens: { input, cached: 0, output: 0 }, usd: 1 });
  expect(keeper.use(one, usage(99))).toMatchObject({
    used: { tokens: { input: 99 }, usd: 1, source: "agent" },
  });
  expect(keeper.use(one, usage(100)).over).toMatchObject({ scope: "task", bound: "tokens" });
  const two = start("1.2");
  keeper.begin(two);
  expect(keeper.timeLeft(two)).toBe(5000);
  now = 5000;
  expect(keeper.check(two)).toMatchObject({ scope: "task", bound: "ms" });
  keeper.end(two);
  now = 9000;
  expect(keeper.check(two)?.text).toContain("5 s of 5 s");
});

it.each([
  [{}, {}, ["codex"], [], undefined],
  [{ usd: 1 }, {}, ["claude"], [], undefined],
  [{ usd: 1 }, {}, ["codex"], [{ model: "gpt*", input: 1, output: 1 }], undefined],
  [{ usd: 1 }, {}, ["claude", "codex"], [], "codex does not report its cost"],
  [{}, { usd: 1 }, ["codex"], [], "set prices in your settings, or --max-tokens"],
  [{ usd: 1, tokens: 5 }, {}, ["codex"], [], "the bound on tokens still holds"],
])(
  "a bound on cost that cannot be enforced is named: %j, %j, %j, %j",
  (run, task, agents, prices, says) => {
    const choices = agents.map((agent) => ({ agent }));
    const line = warnOfCost({ run, task }, choices, prices, (agent) => agent === "claude");
    if (says === undefined) expect(line).toBeUndefined();
    else expect(line).toContain(says);
  },
);
