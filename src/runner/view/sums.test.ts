import { expect, it } from "vitest";
import { HEAD, makeRunLog } from "../../../test/support/run-log.ts";
import { NOTHING, sumSpent } from "../../run/cost.ts";
import { budgetLeft } from "../budget.ts";
import type { RunEvent } from "../events.ts";
import { reduceAll } from "./reduce.ts";
import { forecast } from "./sums.ts";

const MINUTE = 60_000;
const iso = (minutes: number): string => new Date(minutes * MINUTE).toISOString();
const tokens = { input: 900, cached: 500, output: 100 };

interface Plan {
  /** Task, start and end in minutes; undefined while it goes on. */
  readonly work: readonly (readonly [task: string, start: number, end: number | undefined])[];
  readonly tasks: number;
  readonly parallel?: number;
  readonly usd?: number | null;
}

function modelOf({ work, tasks, parallel = 1, usd = 1 }: Plan) {
  const spent = { tokens, usd, source: usd === null ? "unknown" : "agent" } as const;
  const isDone = (id: string): boolean =>
    work.some(([task, , end]) => task === id && end !== undefined);
  const ids = Array.from({ length: tasks }, (_, i) => String(i + 1));
  const events: RunEvent[] = [
    {
      ...HEAD,
      at: iso(0),
      kind: "run-started",
      run: "r",
      version: "1",
      pid: 1,
      agents: [],
      parallel,
      budget: { usd: 10, tokens: 5000, ms: 60 * MINUTE },
      sandbox: "",
    },
    {
      ...HEAD,
      at: iso(0),
      kind: "plan",
      spec: "s",
      branch: null,
      tree: "",
      tasks: ids.map((id) => ({ id, title: "", state: isDone(id) ? "done" : "open" })),
    },
    ...work.flatMap(([task, start, end]): RunEvent[] => {
      const about = { spec: "s", task, attempt: 1 };
      const begin: RunEvent = {
        ...HEAD,
        at: iso(start),
        kind: "attempt-started",
        ...about,
        of: 5,
        role: "execution",
        title: "",
        agent: "a",
      };
      if (end === undefined) return [begin];
      return [
        begin,
        {
          ...HEAD,
          at: iso(end),
          kind: "attempt-ended",
          ...about,
          ending: { kind: "turn" },
          ms: (end - start) * MINUTE,
          spent,
        },
        {
          ...HEAD,
          at: iso(end),
          kind: "done",
          ...about,
          before: "failed",
          after: "passed",
          commit: null,
        },
      ];
    }),
  ];
  return reduceAll(events);
}

it("makes no forecast before two tasks are done, or once none is left", () => {
  expect(forecast(modelOf({ work: [["1", 0, 5]], tasks: 4 }), 5 * MINUTE)).toBeUndefined();
  const all = modelOf({
    work: [
      ["1", 0, 5],
      ["2", 5, 10],
    ],
    tasks: 2,
  });
  expect(forecast(all, 10 * MINUTE)).toBeUndefined();
  const { events, now } = makeRunLog().until("end");
  expect(forecast(reduceAll(events), Date.parse(now))).toBeUndefined();
});

it("expects each open task to take the median of the finished ones", () => {
  const model = modelOf({
    work: [
      ["1", 0, 2],
      ["2", 2, 5],
      ["3", 5, 45],
    ],
    tasks: 5,
  });
  expect(forecast(model, 45 * MINUTE)).toEqual({ ms: 6 * MINUTE, usd: 5, basis: 3 });
});

it("subtracts what current attempts have used, and ignores the time between attempts", () => {
  const model = modelOf({
    work: [
      ["1", 0, 4],
      ["2", 100, 104],
      ["3", 104, undefined],
    ],
    tasks: 4,
  });
  expect(forecast(model, 107 * MINUTE)?.ms).toBe(5 * MINUTE);
  // A task that takes longer than usual never counts as negative.
  expect(forecast(model, 150 * MINUTE)?.ms).toBe(4 * MINUTE);
});

it("divides by how many agents did work at the same time, not by how many may", () => {
  const both = [
    ["1", 0, 4],
    ["2", 0, 4],
  ] as const;
  expect(forecast(modelOf({ work: both, tasks: 4, parallel: 8 }), 4 * MINUTE)?.ms).toBe(4 * MINUTE);
  const alone = [
    ["1", 0, 4],
    ["2", 4, 8],
  ] as const;
  expect(forecast(modelOf({ work: alone, tasks: 4, parallel: 8 }), 8 * MINUTE)?.ms).toBe(
    8 * MINUTE,
  );
});

it("adds waiting time, and has no cost if none is known", () => {
  const model = modelOf({
    work: [
      ["1", 0, 4],
      ["2", 4, 8],
    ],
    tasks: 3,
    usd: null,
  });
  const waiting: RunEvent = { ...HEAD, at: iso(8), kind: "waiting", until: iso(18), why: "" };
  expect(forecast(reduceAll([waiting], model), 8 * MINUTE)).toEqual({
    ms: 14 * MINUTE,
    usd: null,
    basis: 2,
  });
});

it("says what is left of a budget, never less than zero", () => {
  const model = modelOf({
    work: [
      ["1", 0, 4],
      ["2", 4, 8],
    ],
    tasks: 3,
  });
  expect(budgetLeft(model.meter, model.budget, 8 * MINUTE)).toEqual({
    usd: 8,
    tokens: 3000,
    ms: 52 * MINUTE,
  });
  expect(budgetLeft(model.meter, model.budget, 80 * MINUTE).ms).toBe(0);
});

it("sums up, and says where the money comes from", () => {
  const { usd, tokens: all, sources } = sumSpent(reduceAll(makeRunLog().events).attempts);
  expect(usd).toBeCloseTo(5.85, 5);
  expect(all).toBe(13 * 94_000);
  expect([...sources].sort()).toEqual(["agent", "prices", "unknown"]);
  expect(sumSpent([])).toEqual(NOTHING);
});
