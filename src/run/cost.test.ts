import { expect, it } from "vitest";
import {
  boundCost,
  type Cost,
  formatCost,
  formatCosts,
  formatSpent,
  formatTime,
  NOTHING,
  spentByPurpose,
  spentOn,
} from "./cost.ts";
import type { Entry } from "./journal.ts";
import { startLoop } from "./loop.ts";

const loop = startLoop("s", {}, undefined, { at: "", runId: "r" });
const cost = (role: string, tokens: number | null, ms: number | null): Entry => {
  const own: Cost = { role, tokens, toolUses: null, ms, model: null };
  return { at: "", event: "returned", agent: role, cost: own, loop };
};

it.each([
  [{ tokens: 41_234, ms: 130_400 }, "41k tokens, 2 min 10 s"],
  [{ tokens: 1, ms: 400 }, "1 token, 0.4 s"],
  [{ tokens: 999, ms: 9949 }, "999 tokens, 9.9 s"],
  [{ tokens: 1000, ms: 9950 }, "1k tokens, 10 s"],
  [{ tokens: 2749, ms: 59_600 }, "2.7k tokens, 1 min"],
  [{ tokens: 9951, ms: 3_900_000 }, "10k tokens, 1 h 5 min"],
  [{ tokens: 999_499, ms: null }, "999k tokens"],
  [{ tokens: 999_500, ms: null }, "1M tokens"],
  [{ tokens: 2_040_000, ms: 7_200_000 }, "2M tokens, 2 h"],
  [{ tokens: null, ms: 3000 }, "3 s"],
  [{ tokens: null, ms: null }, ""],
  [{ tokens: 41_234, ms: 3000, usd: 0.214 }, "41k tokens, 3 s, $0.21"],
  [{ tokens: null, ms: null, usd: 0.004 }, "<$0.01"],
])("%j reads %j", (spent, text) => expect(formatSpent({ ...NOTHING, ...spent })).toBe(text));

it("never says 60 seconds or 60 minutes", () => {
  for (let ms = 0; ms < 8_000_000; ms += 499) expect(formatTime(ms)).not.toMatch(/\b60 /);
});

it("adds up what is known, and knows when nothing is", () => {
  expect(spentOn([])).toBeNull();
  expect(spentOn([{ at: "", event: "done", loop }])).toBeNull();
  const entries = [cost("spec-executor", 5, null), cost("spec-executor", null, 7)];
  expect(spentOn(entries)).toMatchObject({ tokens: 5, ms: 7, usd: null });
  expect(spentOn([cost("spec-executor", null, null)])).toBeNull();
  const most = Number.MAX_SAFE_INTEGER;
  expect(spentOn([cost("x", most, 1), cost("x", most, 1)])).toMatchObject({ tokens: most, ms: 2 });
});

it("tells what it was spent on", () => {
  const entries = [
    cost("spec-reviewer", 1, null),
    cost("qa-engineer", 20, null),
    cost("spec-executor", 300, null),
    cost("task-planner", 4000, null),
    cost("constructor", 50_000, null),
  ];
  expect(spentByPurpose(entries)).toMatchObject([
    { purpose: "planning", tokens: 54_000, ms: null },
    { purpose: "execution", tokens: 300, ms: null },
    { purpose: "verification", tokens: 20, ms: null },
    { purpose: "review", tokens: 1, ms: null },
  ]);
  expect(spentByPurpose([])).toEqual([]);
});

it("stays short and whole, whatever the client sends", () => {
  const odd = { role: `ralph-specum:${"x".repeat(999)}`, tokens: 1.6, toolUses: -1 };
  expect(boundCost({ ...odd, ms: Number.NaN, model: "a\nb" })).toEqual({
    role: expect.stringMatching(/^x{90,100}…?$/),
    tokens: 2,
    toolUses: null,
    ms: null,
    model: "a b",
  });
});

it("keeps which agent it was and what it cost, if that is known and makes sense", () => {
  const own = { role: "spec-executor", tokens: 5, toolUses: null, ms: 7, model: null };
  expect(boundCost(own)).toEqual(own);
  expect(boundCost({ ...own, agent: "a\nb", usd: 0.5, source: "prices" })).toEqual({
    ...own,
    agent: "a b",
    usd: 0.5,
    source: "prices",
  });
  for (const usd of [-1, Number.NaN, Infinity]) expect(boundCost({ ...own, usd })).toEqual(own);
});

it("adds up dollars where there are any", () => {
  const paid = (usd?: number): Entry => {
    const entry = cost("spec-executor", 1, 1);
    return usd === undefined ? entry : { ...entry, cost: { ...(entry.cost as Cost), usd } };
  };
  const sum = spentOn([paid(), paid(0.25), paid(0.5)]);
  expect(sum).toMatchObject({ tokens: 3, ms: 3, usd: 0.75, sources: ["unknown", "agent"] });
  expect(formatSpent(sum ?? NOTHING)).toBe("3 tokens, 0 s, ~$0.75");
  expect(spentOn([paid()])).toMatchObject({ usd: null, sources: ["unknown"] });
});

it.each([
  [null, [], ""],
  [1.2, ["agent"], "$1.20"],
  [1.2, ["prices"], "~$1.20"],
  [1.2, ["agent", "unknown"], "~$1.20"],
] as const)("%s dollars from %j read %j", (usd, sources, text) =>
  expect(formatCost({ usd, sources })).toBe(text),
);

it("says who used it, and whose use is not known", () => {
  const driven = (entry: Entry): Entry => ({
    ...entry,
    cost: { ...(entry.cost as Cost), agent: "codex" },
  });
  const read = (entries: readonly Entry[], parts = spentByPurpose(entries)): string =>
    formatCosts(spentOn(entries) ?? NOTHING, parts);
  const [plan, work] = [cost("task-planner", 2000, null), cost("spec-executor", 100_000, null)];
  expect(read([work])).toBe(
    "sub-agents 100k tokens, all for execution; the main agent's own tokens are not counted",
  );
  expect(read([plan, work])).toBe(
    "sub-agents 102k tokens (planning 2k tokens; execution 100k tokens); the main agent's own tokens are not counted",
  );
  expect(read([plan, work].map(driven), [])).toBe("agents 102k tokens");
  expect(read([driven(plan), work], [])).toBe(
    "agents and sub-agents 102k tokens; the main agent's own tokens are not counted",
  );
});
