import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { layouts, specum } from "../support/editions.ts";
import { expectRefusal, makePlace, SESSION, startPlace } from "./support.ts";

describe.each(layouts)("$plugin repair", (layout) => {
  it("can be repeated, keeps unknown fields, and is answered after a corrupt state", () => {
    const place = startPlace(layout);
    const state = join(place.folder, layout.stateFile);
    writeFileSync(state, JSON.stringify({ ...place.state(), custom: 1 }));
    expect(place.run(["repair"]).out).toMatch(
      /rebuilt from tasks\.md: 0 of 3 tasks done, turn 1 of 100/,
    );
    expect(place.json(["repair"])).toMatchObject({ ok: true, open: 3 });
    expect(place.state()).toMatchObject({ custom: 1 });

    writeFileSync(state, "{");
    expect(place.stop().reason).toMatch(/cannot be used: it is not valid JSON/);
    expect(place.stop()).toEqual({});
    expect(place.json(["repair"])).toMatchObject({ code: 0, ok: true });
    expect(place.entries().at(-1)?.loop.told).toBeNull();
    expect(place.stop({ stop_hook_active: true })).toMatchObject({ decision: "block" });
  });

  it("is not for another session's run", () => {
    const place = startPlace(layout);
    const env = { CLAUDE_CODE_SESSION_ID: "session-2" };
    expectRefusal(place.run(["repair"], { env }), EXIT.refused, /belongs to another session/);
  });

  it("has nothing to do where no run is on", () => {
    const place = makePlace(layout);
    expectRefusal(
      place.run(["repair"]),
      EXIT.missing,
      /there is nothing to repair: "demo" is not running; start it with/,
    );
    expect(readdirSync(place.folder)).toEqual(["tasks.md"]);
  });
});

describe("repair", () => {
  it.each<[what: string, text: string | undefined]>([
    ["half of an object", '{"phase":"exec'],
    ["nothing", ""],
    ["an array", "[]"],
    ["a state without a single counter", "{}"],
    ["no file at all", undefined],
  ])("rebuilds %s from tasks.md and the journal; the counts continue", (_, text) => {
    const place = startPlace(specum);
    place.stop();
    place.run(["done", "1.1", "--report", "TASK_COMPLETE"]);
    place.run(["fail", "1.2", "--reason", "no luck"]);
    place.stop();
    const state = join(place.folder, ".ralph-state.json");
    rmSync(state);
    if (text !== undefined) writeFileSync(state, text);
    expect(place.json(["repair"])).toEqual({
      code: 0,
      ok: true,
      spec: "demo",
      open: 2,
      total: 3,
      next: ["1.2"],
    });
    expect(place.state()).toMatchObject({
      source: "spec",
      name: "demo",
      phase: "execution",
      taskIndex: 1,
      totalTasks: 3,
      taskIteration: 2,
      globalIteration: 3,
      maxGlobalIterations: 100,
      maxTaskIterations: 5,
      sessionId: SESSION,
    });
    expect(place.stop().reason).toMatch(/\(Task 2\/3, Iter 4\)/);
  });

  it("needs tasks.md, and leaves a folder alone", () => {
    const place = startPlace(specum);
    const state = join(place.folder, ".ralph-state.json");
    rmSync(state);
    mkdirSync(state);
    expectRefusal(place.run(["repair"]), EXIT.broken, /is a folder that we did not create/);
    rmSync(join(place.folder, "tasks.md"));
    expectRefusal(place.run(["repair"]), EXIT.missing, /tasks\.md does not exist/);
  });
});
