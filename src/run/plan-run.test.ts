import { describe, expect, it } from "vitest";
import { specum } from "../../test/support/editions.ts";
import { now, SESSION } from "../../test/support/scene.ts";
import { parseTasks } from "../tasks/parse.ts";
import type { Disk } from "./decision.ts";
import type { Loop } from "./journal.ts";
import { startLoop } from "./loop.ts";
import { planRun, planRepair } from "./plan-run.ts";
import { defaultSettings } from "./settings.ts";
import { parseState } from "./state.ts";

const list = parseTasks("- [x] 1.1 one\n- [ ] 1.2 two\n");
const ran: Partial<Loop> = { iteration: 7, maxIterations: 9, maxAttempts: 3, continued: 6 };
const diskWith = (state: string | undefined, loop: Partial<Loop> = ran): Disk => ({
  layout: specum,
  settings: defaultSettings,
  spec: { name: "demo", basePath: "./specs/demo" },
  state: state === undefined ? { kind: "absent" } : parseState(state),
  tasks: { kind: "ok", list },
  last: {
    at: now.at,
    event: "continue",
    loop: { ...startLoop(SESSION, {}, undefined, now), ...loop },
  },
  findings: [],
  head: "c1",
});
const wish = { event: "resume", session: SESSION, fields: {} } as const;

describe("a run that begins", () => {
  it("counts from the start: it is the user who asks for it", () => {
    expect(planRun(diskWith("{}"), list, wish, now).loop).toMatchObject({ iteration: 1 });
    const none = { ...diskWith(undefined), last: undefined };
    expect(planRun(none, list, wish, now).loop).toMatchObject({ iteration: 1 });
  });

  it.each<[what: string, state: string | undefined]>([
    ["raised by the agent", '{"maxGlobalIterations":99,"maxTaskIterations":99}'],
    ["lost with a broken state", "{"],
    ["lost with the state", undefined],
  ])("keeps the user's limits: %s", (_, state) => {
    const { raw, loop } = planRun(diskWith(state), list, wish, now);
    expect(loop).toMatchObject({ maxIterations: 9, maxAttempts: 3 });
    expect(raw).toMatchObject({ maxGlobalIterations: 9, maxTaskIterations: 3 });
  });

  it("takes the limits that the user gives now", () => {
    const more = { ...wish, fields: { maxGlobalIterations: 50 } };
    const { raw, loop } = planRun(diskWith("{}"), list, more, now);
    expect(loop).toMatchObject({ maxIterations: 50, maxAttempts: 3 });
    expect(raw).toMatchObject({ maxGlobalIterations: 50 });
  });

  it("uses the state's limits if no run is on", () => {
    const over = diskWith('{"maxGlobalIterations":20}', { ...ran, open: false });
    expect(planRun(over, list, wish, now).loop.maxIterations).toBe(20);
  });
});

describe("a state that is rebuilt", () => {
  it.each([
    ["corrupt", null],
    ["limit", "limit"],
    ["stalled", "stalled"],
    ["exhausted", "exhausted"],
  ] as const)("after %s was reported, %s stays reported", (told, stays) => {
    const { write } = planRepair(diskWith("{", { ...ran, told }), list, SESSION, now);
    expect(write.loop).toMatchObject({ told: stays, iteration: 7 });
  });

  it("has the counts and the limits of the journal, and the tasks' own place", () => {
    const { write } = planRepair(diskWith("{"), list, SESSION, now);
    expect(write.state).toMatchObject({
      phase: "execution",
      globalIteration: 7,
      maxGlobalIterations: 9,
      taskIndex: 1,
      totalTasks: 2,
      sessionId: SESSION,
    });
  });
});
