import { describe, expect, it } from "vitest";
import { entryOf, ranWith, summaryOf } from "../../test/support/journal.ts";
import { makeRunLog } from "../../test/support/run-log.ts";
import { costLines, totals } from "../apps/run/page.ts";
import type { TaskFacts } from "../facts/task-facts.ts";
import { NOTHING } from "../run/cost.ts";
import type { Entry } from "../run/journal.ts";
import { parseTasks } from "../tasks/parse.ts";
import { type KnownSpec, planReport } from "./report.ts";
import { reduceAll } from "./view/reduce.ts";

const log = makeRunLog();
const { now } = log.until("end");
const model = reduceAll(log.events);
const report = planReport(model, [], Date.parse(now));

it("says for each task who did it, in how many attempts, and what proves it", () => {
  expect(report.tasks.find(({ id }) => id === "2.3")).toMatchObject({
    state: "done",
    agents: ["codex"],
    attempts: 3,
    before: "failed",
    after: "passed",
    refusals: [
      { attempt: 1, reason: "codex said nothing for too long and was ended" },
      { attempt: 2, reason: expect.stringContaining("nothing was committed") },
    ],
    sources: ["prices"],
  });
});

/** What the spec's own files say about some of its tasks. */
const knownOf = (
  tasks: readonly Partial<TaskFacts>[],
  more: Partial<KnownSpec> = {},
): KnownSpec => {
  const list = parseTasks(tasks.map(({ id }) => `- [x] ${id} a\n`).join(""));
  const facts = summaryOf(list, []);
  return {
    facts: {
      ...facts,
      spec: "user-export",
      tasks: facts.tasks.map((one, i) => ({ ...one, ...tasks[i] })),
    },
    entries: [],
    ...more,
  };
};

it("counts tasks by what is behind them", () => {
  expect(totals(report)).toContain("7 of 12 tasks done: 6 proven, 1 checked; 1 skipped. In ");
  const weakness = "its Verify passed before the work";
  const other = planReport(
    model,
    [
      knownOf([
        { id: "1.1", class: "checked", weakness },
        { id: "1.2", class: "accepted", note: "accepted by the user" },
      ]),
    ],
    Date.parse(now),
  );
  expect(totals(other)).toContain(
    "7 of 12 tasks done: 4 proven, 2 checked, 1 accepted; 1 skipped. In ",
  );
  expect(other.tasks[0]).toMatchObject({ class: "checked", weakness });
});

it("prefers what the spec's own files say to the events", () => {
  const list = parseTasks("- [x] 1.1 a\n  - **Verify**: `npm test`\n");
  const entries = [
    entryOf("before", "1.1", { evidence: [ranWith("passed")] }),
    entryOf("done", "1.1", { evidence: [ranWith("passed", { commit: "abcdef" })] }),
  ];
  const assumptions = ["Semicolons, as in the old export"];
  const facts = { ...summaryOf(list, entries), spec: "user-export", assumptions };
  const known = planReport(model, [{ facts, entries: [] }], Date.parse(now));
  expect(known.tasks[0]).toMatchObject({
    class: "checked",
    before: "passed",
    commands: ["npm test"],
    commit: "abcdef",
  });
  expect(known.assumptions).toEqual(assumptions);
});

describe("other runs of the same spec", () => {
  const cost = { role: "spec-executor", tokens: 7000, toolUses: null, ms: 65_000, model: "m" };
  const entry = (task: string, at: string, agent: string): Entry =>
    ({ event: "returned", task, at, cost: { ...cost, agent, usd: 0.5 } }) as Entry;
  const settledAs = (id: string, finishedAt: string): Partial<TaskFacts> => ({
    id,
    class: "proven",
    attempts: 3,
    agents: ["gemini"],
    finishedAt,
    evidence: [ranWith("passed", { command: "true" })],
    note: null,
    spent: { ...NOTHING, tokens: 7000, ms: 65_000, usd: 0.5 },
  });
  const [before, after] = ["2020-01-01T00:00:00.000Z", "2030-01-01T00:00:00.000Z"];
  // 1.1 was done by an earlier run, and a later one has done 3.3.
  const events = log.events
    .filter((one) => !("task" in one && one.task === "1.1"))
    .map((one) =>
      one.kind === "plan"
        ? {
            ...one,
            tasks: one.tasks.map((task) =>
              task.id === "1.1" ? { ...task, state: "done" as const } : task,
            ),
          }
        : one,
    );
  const known = knownOf([settledAs("1.1", before), settledAs("3.3", after)], {
    entries: [
      entry("1.1", before, "gemini"),
      entry("1.2", before, "gemini"),
      entry("3.3", after, "qwen"),
    ],
  });
  const told = planReport(reduceAll(events), [known], Date.parse(now));
  const row = (id: string) => told.tasks.find((one) => one.id === id);

  it("are told apart from this one: rows, totals and cost", () => {
    expect(row("1.1")).toMatchObject({
      done: "before",
      agents: ["gemini"],
      attempts: 3,
      ms: 0,
      tokens: 0,
      usd: null,
    });
    expect(row("1.2")).toMatchObject({ done: "now", agents: ["claude"], attempts: 2 });
    expect(row("1.2")?.usd).toBe(report.tasks[1]?.usd);
    expect(row("3.3")).toMatchObject({ done: "since", agents: ["gemini"], ms: 0 });
    expect(row("3.4")).toMatchObject({ done: null });
    expect(told.usd).toBeCloseTo(told.tasks.reduce((sum, { usd }) => sum + (usd ?? 0), 0));
    expect(told.earlier).toMatchObject({ tokens: 14_000, usd: 1 });
  });

  it("are named as other runs in the text", () => {
    expect(totals(told)).toMatch(
      /8 of 12 tasks done: 7 proven, 1 checked; 1 skipped\. This run did 6 of them in 4\d min, [^;]*\. The/,
    );
    const earlier =
      "before this run: 14k tokens, 2 min 10 s, $1.00, which is not in the numbers above";
    expect(costLines(told, false)).toContain(earlier);
    expect(costLines(report, true).join()).not.toContain("before this run");
  });
});

it("names what waits for the user, and what to type", () => {
  const { events, now: then } = log.until("question");
  const open = planReport(reduceAll(events), [], Date.parse(then));
  expect(open.waiting, "nothing is taken while the run is alive").toEqual([
    {
      kind: "question",
      spec: "user-export",
      tasks: ["2.2"],
      id: 1,
      what: 'Question 1 (2.2): "The list has two layouts. Should the button be in both, or only in the table?" [1. both, 2. table]',
      todo: "smart-ralph answer 1 1",
    },
  ]);
  expect(report.waiting.map(({ todo }) => todo)).toEqual([
    "smart-ralph unskip 3.1",
    "smart-ralph run user-export --agent claude,codex --max-cost 6",
    "smart-ralph take user-export",
  ]);
});

it("offers no branch to take where the run worked in the user's own", () => {
  const here = JSON.parse(
    JSON.stringify(log.events).replaceAll("smart-ralph/user-export", "main"),
  ) as typeof log.events;
  const { waiting } = planReport(reduceAll(here), [], Date.parse(now));
  expect(waiting.map(({ todo }) => todo).join("\n")).not.toContain("take");
});
