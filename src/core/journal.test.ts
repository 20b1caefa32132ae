import { describe, expect, it } from "vitest";
import { type Entry, formatEntry, type Loop, parseJournal, parseLastEntry } from "./journal.ts";
import { beginLoop, currentLoop, MAX_SESSION } from "./loop.ts";

const NOW = { at: "2026-01-01T00:00:00.000Z", runId: "r" };
const loop: Loop = beginLoop("s", {}, undefined, NOW);
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

describe("a line of the journal", () => {
  it("is read as it was written", () => {
    expect(parseLastEntry(formatEntry(entry))).toEqual(entry);
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
    { loop: { ...loop, iteration: 0.5 } },
  ])("is passed over with %j", (wrong) => {
    const lines = [entry, { ...entry, ...wrong }].map((one) => `${JSON.stringify(one)}\n`);
    expect(parseJournal(lines.join(""))).toEqual([entry]);
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

it("a session's name is cut, wherever it comes from", () => {
  const sessionId = "s".repeat(100_000);
  expect(currentLoop({ sessionId }, undefined, NOW).session).toHaveLength(MAX_SESSION);
  expect(currentLoop({ sessionId }, entry, NOW).session).toHaveLength(MAX_SESSION);
});
