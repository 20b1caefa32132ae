import { describe, expect, it } from "vitest";
import type { Ending } from "../agents/port.ts";
import { FREE, forgetBusy, noteEnding, pickAgent, type Pool } from "./pool.ts";

const HOUR = 3_600_000;
const NOW = Date.parse("2026-11-16T10:00:00Z");
const at = (iso: string): number => Date.parse(iso);
const note = (pool: Pool, id: string, ending: Ending, now: number): Pool =>
  noteEnding(pool, id, ending, now, 6 * HOUR);
const busy = { kind: "busy", text: "529" } as const;
const limit = { kind: "limit", resetsAt: "2026-11-16T11:00:00.000Z", text: "limit" } as const;

describe("the pool of agents", () => {
  it("takes the first that can work", () => {
    expect(pickAgent(FREE, ["claude", "codex"], NOW)).toEqual({ kind: "agent", id: "claude" });
  });

  it("falls back at a limit and returns to the first agent when its limit is reset", () => {
    const pool = note(FREE, "claude", limit, NOW);
    expect(pickAgent(pool, ["claude", "codex"], NOW)).toEqual({ kind: "agent", id: "codex" });
    const later = at("2026-11-16T11:00:01.000Z");
    expect(pickAgent(pool, ["claude", "codex"], later)).toEqual({ kind: "agent", id: "claude" });
  });

  it("waits for the agent whose limit is reset first", () => {
    const one = note(FREE, "claude", limit, NOW);
    const both = note(one, "codex", { ...limit, resetsAt: "2026-11-16T10:30:00Z" }, NOW);
    expect(pickAgent(both, ["claude", "codex"], NOW)).toMatchObject({
      kind: "wait",
      id: "codex",
      until: at("2026-11-16T10:30:01Z"),
    });
  });

  it("waits for some time if a limit has no reset time", () => {
    const pool = note(FREE, "claude", { kind: "limit", text: "limit" }, NOW);
    expect(pickAgent(pool, ["claude"], NOW)).toMatchObject({ kind: "wait", until: NOW + 900_000 });
  });

  it("waits longer each time a service is busy, up to a maximum, and starts over after a turn", () => {
    let pool = FREE;
    const pauses: number[] = [];
    for (let round = 0; round < 12; round++) {
      pool = note(pool, "claude", busy, NOW);
      const pick = pickAgent(pool, ["claude"], NOW);
      pauses.push(pick.kind === "wait" ? pick.until - NOW : 0);
    }
    expect(pauses.slice(0, 3)).toEqual([5000, 10_000, 20_000]);
    expect(pauses.at(-1)).toBe(600_000);
    pool = note(note(pool, "claude", { kind: "turn" }, NOW), "claude", busy, NOW);
    expect(pickAgent(pool, ["claude"], NOW)).toMatchObject({ until: NOW + 5000 });
  });

  it("does not ask an agent again that was busy for hours, unless it answered meanwhile or its user wants it", () => {
    const since = note(FREE, "claude", busy, NOW);
    const almost = note(since, "claude", busy, NOW + 6 * HOUR - 1);
    expect(pickAgent(almost, ["claude"], NOW + 6 * HOUR)).toMatchObject({ kind: "wait" });
    const over = note(almost, "claude", busy, NOW + 6 * HOUR);
    expect(pickAgent(over, ["claude"], NOW + 99 * HOUR)).toEqual({
      kind: "none",
      why: "claude: 529",
    });
    expect(pickAgent(over, ["claude", "codex"], NOW)).toEqual({ kind: "agent", id: "codex" });
    expect(pickAgent(forgetBusy(over), ["claude"], NOW)).toEqual({ kind: "agent", id: "claude" });
    const answers: Ending[] = [
      { kind: "turn" },
      limit,
      { kind: "refused", text: "no" },
      { kind: "too-long", text: "200k" },
    ];
    for (const ending of answers) {
      const answered = note(almost, "claude", ending, NOW + 6 * HOUR);
      const again = note(answered, "claude", busy, NOW + 7 * HOUR);
      expect(pickAgent(again, ["claude"], NOW + 7 * HOUR), ending.kind).toMatchObject({
        kind: "wait",
        until: NOW + 7 * HOUR + 5000,
      });
    }
  });

  it("keeps other blocks when it forgets who was busy", () => {
    const pool = note(note(FREE, "claude", limit, NOW), "codex", busy, NOW);
    expect(forgetBusy(pool)).toEqual(note(FREE, "claude", limit, NOW));
  });

  it("keeps an agent's limit when another process of that agent ends its turn", () => {
    const pool = note(FREE, "claude", limit, NOW);
    expect(note(pool, "claude", { kind: "turn" }, NOW)).toBe(pool);
    const later = at("2026-11-16T11:00:02Z");
    expect(note(pool, "claude", { kind: "turn" }, later)).toEqual(FREE);
  });

  it("waits longer each time for a limit that should be over", () => {
    const over = { ...limit, resetsAt: "2026-11-16T09:00:00Z" };
    let pool = FREE;
    const pauses: number[] = [];
    for (let round = 0; round < 4; round++) {
      pool = note(pool, "claude", over, NOW);
      const pick = pickAgent(pool, ["claude"], NOW);
      pauses.push(pick.kind === "wait" ? pick.until - NOW : 0);
    }
    expect(pauses).toEqual([0, 5000, 10_000, 20_000]);
  });

  it("has no agent left if none is logged in", () => {
    const pool = note(FREE, "claude", { kind: "auth", text: "log in first" }, NOW);
    expect(pickAgent(pool, ["claude"], NOW + 1e9)).toEqual({
      kind: "none",
      why: "claude: log in first",
    });
    expect(pickAgent(FREE, [], NOW).kind).toBe("none");
  });

  it("does not confuse an agent's id with a property that every object has", () => {
    expect(pickAgent(FREE, ["constructor"], NOW)).toEqual({ kind: "agent", id: "constructor" });
  });
});
