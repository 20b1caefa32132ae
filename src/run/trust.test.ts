import { describe, expect, it } from "vitest";
import type { Disk } from "./decision.ts";
import type { Entry, UserDecisions } from "./journal.ts";
import { startLoop } from "./loop.ts";
import { runnerSession } from "./runner-session.ts";
import { parseState, type StateFile } from "./state.ts";
import {
  decisionsIn,
  applyDecisions,
  type RunOwner,
  type RunRecord,
  keepTrusted,
  whoseRun,
} from "./trust.ts";

const now = { at: "2026-01-01T00:00:00.000Z", runId: "r" };
const state = (fields: object): StateFile => parseState(JSON.stringify(fields));
const entry = (session: string | null, open = true, held?: UserDecisions): Entry => ({
  at: now.at,
  event: "continue",
  ...(held === undefined ? {} : { held }),
  loop: { ...startLoop(session, {}, undefined, now), open },
});
const record = { token: "t" };

describe("the run of a state", () => {
  const token = state({ runToken: "t" });
  const broken: StateFile = { kind: "corrupt", why: "x" };
  it.each<[string, RunOwner, StateFile, RunRecord | undefined, Entry | undefined]>([
    ["with the record's token", "ours", token, record, entry(null)],
    ["with it, in another session", "ours", token, record, entry("o")],
    ["whose token the agent dropped", "ours", state({}), record, entry("s")],
    ["that the agent broke", "ours", broken, record, entry("s")],
    ["of another session, without a token", "elsewhere", state({}), record, entry("o")],
    ["of nobody's session, without a token", "stranger", state({}), record, entry(null)],
    ["with another token", "stranger", state({ runToken: "u" }), record, entry(null)],
    ["without a record", "stranger", token, undefined, entry("s")],
    ["of a run that is over", "stranger", token, record, entry("s", false)],
    ["with a record and no journal", "stranger", token, record, undefined],
  ])("%s: %s", (_, owner, file, known, last) => {
    expect(whoseRun({ state: file, record: known, last }, "s")).toBe(owner);
  });
});

describe("what only the user may change", () => {
  const held = decisionsIn({
    phase: "tasks",
    quickMode: false,
    small: false,
    commitSpec: true,
    paused: true,
    x: 1,
  });

  it("is kept as it was left", () => {
    expect(held).toEqual({
      phase: "tasks",
      quickMode: false,
      small: false,
      commitSpec: true,
      paused: true,
      awaitingApproval: false,
    });
    const file = applyDecisions(
      state({
        phase: "execution",
        quickMode: true,
        small: true,
        commitSpec: false,
        paused: false,
        y: 2,
      }),
      held,
    );
    const { awaitingApproval: _, ...changed } = held;
    expect(file).toMatchObject({ raw: { ...changed, y: 2 }, state: changed });
  });

  it("is kept even if it was never said", () => {
    const never = decisionsIn({});
    expect(applyDecisions(state({ quickMode: true, commitSpec: true }), never)).toMatchObject({
      state: { quickMode: false, commitSpec: false },
    });
    const silent = state({ x: 1 });
    expect(applyDecisions(silent, never)).toBe(silent);
  });

  it("fits into a line of the journal, whatever the state says", () => {
    const long = "x".repeat(100_000);
    expect(JSON.stringify(decisionsIn({ phase: long, paused: long, quickMode: long }))).toBe(
      '{"quickMode":false,"small":false,"commitSpec":false,"paused":false,"awaitingApproval":false}',
    );
  });

  it("leaves a state alone that says the same", () => {
    const file = state({ phase: "tasks", quickMode: false, commitSpec: true, paused: true });
    expect(applyDecisions(file, held)).toBe(file);
    expect(applyDecisions(file, undefined)).toBe(file);
  });

  it("may be tightened by anybody: paused, or asked for approval", () => {
    const file = state({ phase: "tasks", paused: true, awaitingApproval: true });
    expect(applyDecisions(file, { phase: "tasks", paused: false, awaitingApproval: false })).toBe(
      file,
    );
  });

  it("but not by the agents of a runner, whom nobody may be watching", () => {
    const file = state({ phase: "tasks", paused: true, awaitingApproval: true });
    const decided = { phase: "tasks", paused: false, awaitingApproval: false };
    expect(applyDecisions(file, decided, runnerSession("1"))).toMatchObject({
      raw: { paused: false, awaitingApproval: false },
      state: { paused: false, awaitingApproval: false },
    });
  });
});

describe("of a run from elsewhere, the user's command uses", () => {
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
    const part = keepTrusted(disk(file), "s");
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
    expect(keepTrusted(own, "s")).toEqual(own);
  });
});
