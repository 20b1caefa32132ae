import { describe, expect, it } from "vitest";
import type { Entry, Held } from "./journal.ts";
import { beginLoop } from "./loop.ts";
import { parseState, type StateFile } from "./state.ts";
import { heldBy, holdState, isKnown, isOurs, trustedPart } from "./trust.ts";
import type { Disk } from "./decision.ts";

const now = { at: "2026-01-01T00:00:00.000Z", runId: "r" };
const state = (fields: object): StateFile => parseState(JSON.stringify(fields));
const entry = (session: string | null, open = true, held?: Held): Entry => ({
  at: now.at,
  event: "continue",
  ...(held === undefined ? {} : { held }),
  loop: { ...beginLoop(session, {}, undefined, now), open },
});
const record = { token: "t" };

describe("a state is ours", () => {
  const cases: [what: string, ours: boolean, known: boolean, ...args: Parameters<typeof isOurs>][] =
    [
      ["with the record's token", true, true, state({ runToken: "t" }), record, entry(null), "s"],
      [
        "with it, in another session",
        true,
        true,
        state({ runToken: "t" }),
        record,
        entry("o"),
        "s",
      ],
      ["whose token the agent dropped", true, true, state({}), record, entry("s"), "s"],
      ["that the agent broke", true, true, { kind: "corrupt", why: "x" }, record, entry("s"), "s"],
      ["of another session, without a token", false, true, state({}), record, entry("o"), "s"],
      ["of nobody's session, without a token", false, false, state({}), record, entry(null), "s"],
      ["with another token", false, false, state({ runToken: "u" }), record, entry(null), "s"],
      ["without a record", false, false, state({ runToken: "t" }), undefined, entry("s"), "s"],
      [
        "of a run that is over",
        false,
        false,
        state({ runToken: "t" }),
        record,
        entry("s", false),
        "s",
      ],
      [
        "with a record and no journal",
        false,
        false,
        state({ runToken: "t" }),
        record,
        undefined,
        "s",
      ],
    ];
  it.each(cases)("%s: %s", (_, ours, known, ...args) => {
    expect(isOurs(...args)).toBe(ours);
    expect(isKnown(...args)).toBe(known);
  });
});

describe("what only the user may change", () => {
  const held = heldBy({ phase: "tasks", quickMode: false, commitSpec: true, paused: true, x: 1 });

  it("is kept as it was left", () => {
    expect(held).toEqual({
      phase: "tasks",
      quickMode: false,
      commitSpec: true,
      paused: true,
      awaitingApproval: false,
    });
    const file = holdState(
      state({ phase: "execution", quickMode: true, commitSpec: false, paused: false, y: 2 }),
      held,
    );
    const { awaitingApproval: _, ...changed } = held;
    expect(file).toMatchObject({ raw: { ...changed, y: 2 }, state: changed });
  });

  it("is kept also if it was never said", () => {
    const never = heldBy({});
    expect(holdState(state({ quickMode: true, commitSpec: true }), never)).toMatchObject({
      state: { quickMode: false, commitSpec: false },
    });
    const silent = state({ x: 1 });
    expect(holdState(silent, never)).toBe(silent);
  });

  it("fits into a line of the journal, whatever the state says", () => {
    const long = "x".repeat(100_000);
    expect(JSON.stringify(heldBy({ phase: long, paused: long, quickMode: long }))).toBe(
      '{"quickMode":false,"commitSpec":false,"paused":false,"awaitingApproval":false}',
    );
  });

  it("leaves a state alone that says the same", () => {
    const file = state({ phase: "tasks", quickMode: false, commitSpec: true, paused: true });
    expect(holdState(file, held)).toBe(file);
    expect(holdState(file, undefined)).toBe(file);
  });

  it("may be tightened by anybody: paused, or asked for approval", () => {
    const file = state({ phase: "tasks", paused: true, awaitingApproval: true });
    expect(holdState(file, { phase: "tasks", paused: false, awaitingApproval: false })).toBe(file);
  });
});

describe("of a run from elsewhere, the user's command takes", () => {
  const disk = (file: StateFile, more: Partial<Disk> = {}): Disk =>
    ({ state: file, last: entry("o"), record: undefined, ...more }) as Disk;

  it("no journal, no quick mode, and no limit above the usual", () => {
    const file = state({
      phase: "tasks",
      quickMode: true,
      maxGlobalIterations: 9999,
      maxTaskIterations: 2,
      z: 1,
    });
    const part = trustedPart(disk(file), "s");
    expect(part.last).toBeUndefined();
    expect(part.state).toMatchObject({
      raw: { phase: "tasks", maxGlobalIterations: 100, maxTaskIterations: 2, z: 1 },
    });
    expect(part.state).not.toHaveProperty("raw.quickMode");
    expect(part.state).not.toHaveProperty("state.quickMode");
  });

  it("of our own everything", () => {
    const file = state({ quickMode: true, maxGlobalIterations: 9999, runToken: "t" });
    const own = disk(file, { record, last: entry("s") });
    expect(trustedPart(own, "s")).toEqual(own);
  });
});
