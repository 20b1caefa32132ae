import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { makeOrder, makeStage, ORDER_LIMITS } from "../../test/support/order.ts";
import type { Agent, AgentEvent, Ending, Usage } from "../agents/port.ts";
import { NO_TOKENS } from "../agents/port.ts";
import { runAttempt } from "./attempt.ts";
import type { RunNews } from "./events.ts";
import type { OrderLimits } from "./executor.ts";
import { openSlots } from "./slots.ts";
import type { Stage } from "./stage.ts";
import type { Attempt } from "./start-agent.ts";

const HOUR = 3_600_000;
const NOTHING: Usage = { tokens: NO_TOKENS };
const TURN: Ending = { kind: "turn" };
const BUSY: Ending = { kind: "busy", text: "529" };
const AUTH: Ending = { kind: "auth", text: "not logged in" };
const ALWAYS_BUSY: readonly Ending[] = Array.from({ length: 1000 }, () => BUSY);
const CRASHED: Ending = { kind: "crashed", text: "exit code 1" };
const TOO_LONG: Ending = { kind: "too-long", text: "200k" };
const limit = (seconds: number): Ending => ({
  kind: "limit",
  resetsAt: new Date(Date.now() + seconds * 1000).toISOString(),
  text: "5-hour limit",
});

/** Each start ends with the next of these endings; after the last one, starts end with a turn. */
function agentWith(id: string, ...endings: readonly (Ending | (() => Ending))[]): Agent {
  let starts = 0;
  return {
    id,
    name: id,
    driver: "demo",
    rights: () => "",
    probe: async () => ({ installed: true }),
    async run() {
      const next = endings[starts++] ?? TURN;
      const ending = typeof next === "function" ? next() : next;
      return { ending, report: `${id} says done`, usage: NOTHING };
    },
  };
}

/** Works until it is stopped. */
const worker = (id: string, told: readonly AgentEvent[] = []): Agent => ({
  ...agentWith(id),
  run: (_work, on, stop) =>
    new Promise((resolve) => {
      for (const event of told) on(event);
      const end = (): void =>
        resolve({
          ending: { kind: "stopped", by: stop.reason === "budget" ? "budget" : "user" },
          report: "",
          usage: NOTHING,
        });
      if (stop.aborted) end();
      else stop.addEventListener("abort", end);
    }),
});

interface Played {
  readonly stage: Stage;
  readonly attempt: Attempt;
  readonly news: RunNews[];
  readonly rewound: () => number;
  readonly starts: () => string[];
}

function play(
  agents: readonly Agent[],
  more: Parameters<typeof makeStage>[1] = {},
  limits: Partial<OrderLimits> = {},
): Played {
  const news: RunNews[] = [];
  let rewound = 0;
  const stage = makeStage(agents, more, news);
  return {
    news,
    stage,
    rewound: () => rewound,
    starts: () => news.flatMap((one) => (one.kind === "attempt-started" ? [one.agent] : [])),
    attempt: {
      order: makeOrder(agents, { limits: { ...ORDER_LIMITS, ...limits } }),
      emit: stage.emit,
      signal: stage.signal,
      prompt: () => "",
      place: { cwd: "/", writable: [], env: {} },
      rewind: async () => void rewound++,
    },
  };
}

beforeEach(() => void vi.useFakeTimers({ now: Date.parse("2026-11-16T02:00:00Z") }));
afterEach(() => void vi.useRealTimers());

/** Skips all waiting. Returns the end, and how long it took by the fake clock. */
async function run({ stage, attempt }: Played) {
  const began = Date.now();
  const ended = runAttempt(stage, attempt);
  await vi.runAllTimersAsync();
  const { ending, ...end } = await ended;
  return { ...end, ...ending, took: Date.now() - began };
}

it("an attempt used what all its starts used, and as long as they worked", async () => {
  const work = (id: string, ending: Ending, ms: number, usd: number): Agent => ({
    ...agentWith(id),
    async run() {
      vi.setSystemTime(Date.now() + ms);
      return { ending, report: "", usage: { tokens: { input: 10, cached: 0, output: 1 }, usd } };
    },
  });
  const { spent } = await run(play([work("a", limit(9000), 2000, 1), work("b", TURN, 3000, 2)]));
  expect(spent).toMatchObject({ tokens: 22, ms: 5000, usd: 3, sources: ["agent"] });
});

describe("an agent that cannot work now", () => {
  it("is waited for until its limit is reset, plus a moment in case the clocks differ", async () => {
    const played = play([agentWith("a", () => limit(3600))]);
    const { kind, took } = await run(played);
    expect(kind).toBe("turn");
    expect(took).toBeGreaterThanOrEqual(3_600_000);
    expect(took).toBeLessThan(3_605_000);
    expect(played.starts()).toEqual(["a", "a"]);
    expect(played.rewound(), "it begins again").toBe(1);
  });

  it("is asked again later and later while its service is busy", async () => {
    const played = play([agentWith("a", BUSY, BUSY, BUSY)]);
    const { kind, took } = await run(played);
    expect(kind).toBe("turn");
    expect(took).toBeGreaterThanOrEqual(35_000);
    const until = played.news.flatMap((one) => (one.kind === "waiting" ? [one.until] : []));
    expect(until).toHaveLength(3);
    expect([...until].sort()).toEqual(until);
  });

  it("is asked no longer than six hours: then the next agent goes on, and without one it is a question", async () => {
    const alone = play([agentWith("a", ...ALWAYS_BUSY)]);
    const end = await run(alone);
    expect(end).toMatchObject({ kind: "busy", reason: "a: 529" });
    expect(end.took).toBeGreaterThanOrEqual(6 * HOUR);
    expect(end.took).toBeLessThan(6.5 * HOUR);
    expect(alone.rewound()).toBe(alone.starts().length);
    // What comes next has to do without it, at once.
    const next = await run(alone);
    expect(next).toMatchObject({ kind: "unavailable", reason: "a: 529", took: 0 });

    const both = play([agentWith("a", ...ALWAYS_BUSY), agentWith("b", () => limit(8 * 3600))]);
    expect(await run(both)).toMatchObject({ kind: "turn", agent: "b" });
    expect(both.starts().slice(-2)).toEqual(["a", "b"]);
  });

  it("is a question if the others cannot work at all", async () => {
    const played = play([agentWith("a", ...ALWAYS_BUSY), agentWith("b", AUTH)]);
    expect(await run(played)).toMatchObject({
      kind: "busy",
      reason: "a: 529; b: not logged in",
    });
  });

  it("is replaced by the next one, and takes over again once its limit is reset", async () => {
    const first = agentWith("a", () => limit(60));
    const second = agentWith("b");
    const played = play([first, second]);
    expect(await run(played)).toMatchObject({ kind: "turn", agent: "b", took: 0 });
    expect(played.news).toContainEqual(
      expect.objectContaining({ kind: "agent-changed", from: "a", to: "b" }),
    );
    vi.setSystemTime(Date.now() + 120_000);
    expect(await runAttempt(played.stage, played.attempt)).toMatchObject({ agent: "a" });
  });

  it("is not waited for if the run may not wait", async () => {
    const played = play([agentWith("a", () => limit(60))], {}, { mayWait: false });
    expect(await run(played)).toMatchObject({ kind: "unavailable", took: 0 });
  });

  it("ends the attempt if nobody is logged in", async () => {
    const played = play([agentWith("a", AUTH), agentWith("b", AUTH)]);
    expect(await run(played)).toMatchObject({
      kind: "unavailable",
      reason: "a: not logged in; b: not logged in",
    });
    expect(played.starts()).toEqual(["a", "b"]);
  });

  it("is waited for no longer than the run may take", async () => {
    const played = play([agentWith("a", () => limit(3600))], { budgetOf: { run: { ms: 60_000 } } });
    const end = await run(played);
    expect(end).toMatchObject({ kind: "over-budget", scope: "run" });
    expect(end.took).toBeLessThan(70_000);
  });

  it("is not waited for any more once the user stops the run", async () => {
    const stop = new AbortController();
    const played = play([agentWith("a", () => limit(3600))], { signal: stop.signal });
    setTimeout(() => stop.abort(), 5000);
    expect(await run(played)).toMatchObject({ kind: "stopped", took: 5000 });
  });
});

describe("an agent that fails", () => {
  it("is started again after a crash, and has failed after three", async () => {
    const played = play([agentWith("a", CRASHED, CRASHED, CRASHED)]);
    expect(await run(played)).toMatchObject({ kind: "failed" });
    expect(played.starts()).toEqual(["a", "a", "a"]);
  });

  it("is replaced by the next one after three crashes", async () => {
    const played = play([agentWith("a", CRASHED, CRASHED, CRASHED), agentWith("b")]);
    expect(await run(played)).toMatchObject({ kind: "turn", agent: "b" });
  });

  it("is replaced at once if the prompt is too long for it", async () => {
    const played = play([agentWith("a", TOO_LONG), agentWith("b")]);
    expect(await run(played)).toMatchObject({ kind: "turn", agent: "b" });
    const alone = play([agentWith("a", TOO_LONG)]);
    expect(await run(alone)).toMatchObject({ kind: "too-long" });
  });

  it("has used up the attempt if its model refuses, or if it takes too long", async () => {
    for (const ending of [
      { kind: "refused", text: "no" },
      { kind: "stopped", by: "wall" },
      { kind: "stopped", by: "silence" },
    ] as const)
      expect(await run(play([agentWith("a", ending)]))).toMatchObject({ kind: "failed" });
  });

  it("that the executor does not have is not started", async () => {
    const played = play([agentWith("a")]);
    const order = makeOrder([{ id: "elsewhere" }, { id: "a" }]);
    expect(await run({ ...played, attempt: { ...played.attempt, order } })).toMatchObject({
      kind: "turn",
      agent: "a",
    });
  });

  it("is not started forever", async () => {
    const over = Array.from({ length: 1000 }, () => limit(-60));
    const played = play([agentWith("a", ...over)]);
    expect(await run(played)).toMatchObject({ kind: "unavailable" });
    expect(played.starts().length).toBeLessThanOrEqual(200);
  });
});

describe("a budget", () => {
  const usage = (input: number): AgentEvent => ({
    kind: "usage",
    usage: { tokens: { input, cached: 0, output: 0 } },
  });

  it("ends the agent while it works", async () => {
    const played = play([worker("a", [usage(50), usage(100)])], {
      budgetOf: { run: { tokens: 100 } },
    });
    expect(await run(played)).toMatchObject({ kind: "over-budget", scope: "run" });
  });

  it("of a task is the sum of its starts", async () => {
    const played = play([worker("a", [usage(60)])], { budgetOf: { task: { tokens: 100 } } });
    const stop = new AbortController();
    const first = runAttempt(played.stage, { ...played.attempt, signal: stop.signal });
    await vi.advanceTimersByTimeAsync(20);
    stop.abort();
    expect(await first).toMatchObject({ ending: { kind: "stopped" } });
    const second = await Promise.race([
      runAttempt(played.stage, played.attempt),
      vi.advanceTimersByTimeAsync(10_000).then(() => undefined),
    ]);
    expect(second).toMatchObject({ ending: { kind: "over-budget", scope: "task" } });
  });

  const text: AgentEvent = { kind: "text", text: "All of it is done." };
  const tool: AgentEvent = { kind: "tool", title: "Bash: npm test" };

  it.each([
    { name: "is used up by its last message", told: [text, usage(100)], ends: "turn" },
    { name: "is used up before a tool", told: [text, usage(100), tool], ends: "over-budget" },
    { name: "is used up by a tool's call", told: [tool, usage(100)], ends: "over-budget" },
  ])("that $name: $ends, if the agent ends a second later", async ({ told, ends }) => {
    const slow: Agent = {
      ...agentWith("a"),
      run: (_work, on, stop) =>
        new Promise((resolve) => {
          const end = (ending: Ending): void => resolve({ ending, report: "", usage: NOTHING });
          stop.addEventListener("abort", () => end({ kind: "stopped", by: "budget" }));
          for (const event of told) on(event);
          setTimeout(() => end(TURN), 1000);
        }),
    };
    const played = play([slow], { budgetOf: { run: { tokens: 100 } } });
    expect(await run(played)).toMatchObject({ kind: ends });
  });

  it("of time ends an agent that says nothing", async () => {
    const played = play([worker("a")], { budgetOf: { task: { ms: 30_000 } } });
    expect(await run(played)).toMatchObject({ kind: "over-budget", scope: "task", took: 30_000 });
  });
});

it("a task that the user skips while it waits for its turn is not started", async () => {
  const skip = new AbortController();
  const slots = openSlots(1);
  let leave = (): void => undefined;
  void slots(() => new Promise<void>((resolve) => (leave = resolve)));
  const played = play([agentWith("a")], { slots });
  const ended = runAttempt(played.stage, { ...played.attempt, signal: skip.signal });
  skip.abort();
  leave();
  expect(await ended).toMatchObject({ ending: { kind: "stopped" } });
  expect(played.starts()).toEqual([]);
});

it("starts no agent while the disk is full, and ends if it stays full", async () => {
  const played = play([agentWith("a")], { room: async () => "only 0 MB are free" });
  expect(await run(played)).toMatchObject({ kind: "no-room", reason: "only 0 MB are free" });
  expect(played.starts()).toEqual([]);
});
