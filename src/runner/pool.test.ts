import { describe, expect, it } from "vitest";
import { FREE, noteEnding, pickAgent } from "./pool.ts";

const NOW = Date.parse("2026-11-16T10:00:00Z");
const at = (iso: string): number => Date.parse(iso);
const limit = { kind: "limit", resetsAt: "2026-11-16T11:00:00.000Z", text: "limit" } as const;

describe("the pool of agents", () => {
  it("takes the first that can work", () => {
    expect(pickAgent(FREE, ["claude", "codex"], NOW)).toEqual({ kind: "agent", id: "claude" });
  });

  it("falls back at a limit and returns to the first agent when its limit is reset", () => {
    const pool = noteEnding(FREE, "claude", limit, NOW);
    expect(pickAgent(pool, ["claude", "codex"], NOW)).toEqual({ kind: "agent", id: "codex" });
    const later = at("2026-11-16T11:00:01.000Z");
    expect(pickAgent(pool, ["claude", "codex"], later)).toEqual({ kind: "agent", id: "claude" });
  });

  it("waits for the agent whose limit is reset first", () => {
    const one = noteEnding(FREE, "claude", limit, NOW);
    const both = noteEnding(one, "codex", { ...limit, resetsAt: "2026-11-16T10:30:00Z" }, NOW);
    expect(pickAgent(both, ["claude", "codex"], NOW)).toMatchObject({
      kind: "wait",
      id: "codex",
      until: at("2026-11-16T10:30:01Z"),
    });
  });

  it("waits for some time if a limit has no reset time", () => {
    const pool = noteEnding(FREE, "claude", { kind: "limit", text: "limit" }, NOW);
    expect(pickAgent(pool, ["claude"], NOW)).toMatchObject({ kind: "wait", until: NOW + 900_000 });
  });

  it("waits longer each time a service is busy, up to a maximum, and starts over after a turn", () => {
    let pool = FREE;
    const pauses: number[] = [];
    for (let round = 0; round < 12; round++) {
      pool = noteEnding(pool, "claude", { kind: "busy", text: "529" }, NOW);
      const pick = pickAgent(pool, ["claude"], NOW);
      pauses.push(pick.kind === "wait" ? pick.until - NOW : 0);
    }
    expect(pauses.slice(0, 3)).toEqual([5000, 10_000, 20_000]);
    expect(pauses.at(-1)).toBe(600_000);
    pool = noteEnding(
      noteEnding(pool, "claude", { kind: "turn" }, NOW),
      "claude",
      { kind: "busy", text: "529" },
      NOW,
    );
    expect(pickAgent(pool, ["claude"], NOW)).toMatchObject({ until: NOW + 5000 });
  });

  it("keeps an agent's limit when another process of that agent ends its turn", () => {
    const pool = noteEnding(FREE, "claude", limit, NOW);
    expect(noteEnding(pool, "claude", { kind: "turn" }, NOW)).toBe(pool);
    const later = at("2026-11-16T11:00:02Z");
    expect(noteEnding(pool, "claude", { kind: "turn" }, later)).toEqual(FREE);
  });

  it("waits longer each time for a limit that should be over", () => {
    const over = { ...limit, resetsAt: "2026-11-16T09:00:00Z" };
    let pool = FREE;
    const pauses: number[] = [];
    for (let round = 0; round < 4; round++) {
      pool = noteEnding(pool, "claude", over, NOW);
      const pick = pickAgent(pool, ["claude"], NOW);
      pauses.push(pick.kind === "wait" ? pick.until - NOW : 0);
    }
    expect(pauses).toEqual([0, 5000, 10_000, 20_000]);
  });

  it("has no agent left if none is logged in", () => {
    const pool = noteEnding(FREE, "claude", { kind: "auth", text: "log in first" }, NOW);
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
