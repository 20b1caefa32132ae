import { describe, expect, it } from "vitest";
import { specum } from "../../test/support/editions.ts";
import type { TaskList } from "../tasks/model.ts";
import { parseTasks } from "../tasks/parse.ts";
import { decide } from "./decide.ts";
import type { Disk, Write } from "./decision.ts";
import { formatEntry, parseJournal, parseLastEntry } from "./journal-lines.ts";
import type { Entry, Loop } from "./journal.ts";
import { startLoop, currentLoop, MAX_SESSION } from "./loop.ts";
import { defaultSettings } from "./settings.ts";

const NOW = { at: "2026-01-01T00:00:00.000Z", runId: "r" };
const loop: Loop = startLoop("s", {}, undefined, NOW);
const evidence = {
  command: "npm test",
  outcome: "passed",
  exitCode: 0,
  milliseconds: 5,
  commit: "",
  tail: "ok",
} as const;
const entry: Entry = {
  at: NOW.at,
  event: "done",
  task: "1.1",
  note: "n",
  evidence: [evidence],
  loop,
};

const diskOf = (list: TaskList): Omit<Disk, "state" | "last"> => ({
  layout: specum,
  settings: defaultSettings,
  spec: { name: "demo", basePath: "./specs/demo" },
  tasks: { kind: "ok", list },
  findings: [],
  head: "",
});

describe("a line of the journal", () => {
  it("is read as it was written", () => {
    expect(parseLastEntry(formatEntry(entry))).toEqual(entry);
  });

  it("is read after an editor of Windows has saved it", () => {
    const saved = `\uFEFF${formatEntry(entry).repeat(2)}`.replaceAll("\n", "\r\n");
    expect(parseJournal(saved)).toEqual([entry, entry]);
    expect(parseLastEntry(`\uFEFF${formatEntry(entry)}`)).toEqual(entry);
    expect(parseLastEntry("\uFEFF".repeat(60_000))).toBeUndefined();
  });

  it.each([
    { note: 5 },
    { task: {} },
    { evidence: 5 },
    { evidence: [null] },
    { evidence: [{}] },
    { evidence: [{ ...evidence, command: null }] },
    { evidence: [{ ...evidence, commit: 5 }] },
    { evidence: [{ ...evidence, milliseconds: "5" }] },
    { evidence: [{ ...evidence, outcome: "\n" }] },
    { cost: { role: "spec-executor", tokens: "5", toolUses: null, ms: null, model: null } },
    { cost: 5 },
    { loop: { ...loop, iteration: 0.5 } },
  ])("is skipped with %j", (wrong) => {
    const lines = [entry, { ...entry, ...wrong }].map((one) => `${JSON.stringify(one)}\n`);
    expect(parseJournal(lines.join(""))).toEqual([entry]);
  });

  it("says what an agent cost", () => {
    const cost = { role: "spec-executor", tokens: 5, toolUses: null, ms: 7, model: null };
    const spent: Entry = { at: NOW.at, event: "returned", agent: "a", task: "1.1", cost, loop };
    expect(parseJournal(formatEntry(spent))).toEqual([spent]);
  });

  it("is skipped if it could not be passed on", () => {
    const deep = `{"x":${"[".repeat(20_000)}${"]".repeat(20_000)},`;
    const line = formatEntry(entry).replace('"loop":{', () => `"loop":${deep}`);
    expect(JSON.parse(line)).toHaveProperty("loop.x");
    expect(parseLastEntry(line)).toBeUndefined();
  });

  it("fits into the end that a stop reads, whatever was reported", () => {
    const long = "\u0001".repeat(16_000);
    const line = formatEntry({
      ...entry,
      note: long,
      evidence: [{ ...evidence, command: long, tail: long }],
    });
    expect(line.length).toBeLessThan(20_000);
    expect(parseLastEntry(line)?.loop).toEqual(loop);
  });
});

it.each([
  ["a corrupt state", { kind: "corrupt", why: "x" } as const],
  ["a state", { kind: "ok", raw: {}, state: { phase: "execution" } } as const],
])("counts that are as high as can be stay readable, with %s", (_, state) => {
  const last = { ...entry, loop: { ...loop, continued: Number.MAX_SAFE_INTEGER } };
  const disk = { ...diskOf(parseTasks("- [ ] 1.1 a\n")), state, last };
  const event = { sessionId: "s", continuing: true, message: null, agentsRunning: 0 };
  const { write } = decide(event, disk, NOW);
  expect(parseLastEntry(formatEntry({ at: NOW.at, ...(write as Write) }))).toBeDefined();
});

it("a session's name is cut, wherever it comes from", () => {
  const sessionId = "s".repeat(100_000);
  expect(currentLoop({ sessionId }, undefined, NOW).session).toHaveLength(MAX_SESSION);
  const unbound = { ...entry, loop: { ...entry.loop, session: null } };
  expect(currentLoop({ sessionId }, unbound, NOW).session).toHaveLength(MAX_SESSION);
});

it("a run that is bound stays so, whatever session the state names", () => {
  expect(currentLoop({ sessionId: "another" }, entry, NOW).session).toBe(entry.loop.session);
});
