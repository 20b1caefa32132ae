import { utimesSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { tryAll } from "./attempts.ts";
import type { Around } from "./calls.ts";
import { REPORT, type Scene } from "./scene.ts";
import { scenes, setScene } from "./scenes.ts";
import { makeBase, type Stage } from "./stage.ts";
import { expectInTime, finish, stop } from "./survive.ts";

const base = makeBase();
const DAY = 86_400_000;
const CALL = 20;

/** Takes its time for every call, by the program's own clock. */
const slow =
  (stage: Stage): Around =>
  (_, proceed) => {
    stage.clock.pass(CALL);
    return proceed();
  };

describe("a disk that takes 20 ms for every call", () => {
  it.each(scenes)("leaves time for $name", async (scene) => {
    await tryAll({ scene: scene.name, way: "slow" }, [scene], String, async () => {
      const stage = await setScene(scene, base);
      const { code } = await scene.act(stage, slow(stage));
      expect([0, 1]).toContain(code);
      expectInTime(stage, scene);
      stage.remove();
    });
  });

  it("does not make a wait for the lock longer", async () => {
    const scene = sceneOf("stop: continue");
    const stage = await setScene(scene, base);
    stage.write(".ralph-lock", `${process.pid}\n`);
    const { code, out, err } = await scene.act(stage, slow(stage));
    expect(code).toBe(0);
    expect(Object.keys(JSON.parse(out) as object)).toEqual(["systemMessage"]);
    expect(err).toContain(`process ${process.pid} holds it`);
    expectInTime(stage, scene);
    expect(stage.names()).toContain(".ralph-lock");
  });
});

const sceneOf = (name: string): Scene => scenes.find((scene) => scene.name === name) as Scene;

describe("a clock that jumps by a day", () => {
  it.each([
    ["forward", [DAY]],
    ["back", [-DAY]],
    ["to and fro", [DAY, -DAY, -DAY, DAY]],
  ])("%s loses no task", async (_, jumps) => {
    const stage = await setScene(sceneOf("done (git)"), base);
    for (let turn = 0; turn < 4; turn++) {
      stage.clock.pass(jumps[turn % jumps.length] as number);
      const { ids } = await stop(stage);
      stage.clock.pass(jumps[(turn + 1) % jumps.length] as number);
      for (const id of ids) {
        expect((await stage.command(["done", id, "--report", REPORT])).code).toBe(0);
      }
    }
    await finish(stage, sceneOf("done (git)"));
    const lines = stage.journal.trimEnd().split("\n");
    const iterations = lines.map((line) => (JSON.parse(line) as Line).loop.iteration);
    expect(iterations).toEqual([...iterations].sort((a, b) => a - b));
  });

  it.each<[what: string, jump: number, pid: number, taken: boolean]>([
    ["forward: a live holder's lock is as old as a dead one's", DAY, process.pid, true],
    ["back: a live holder keeps its lock", -DAY, process.pid, false],
    ["back: a dead holder's lock is taken", -DAY, 4_999_999, true],
    ["forward: a dead holder's lock is taken", DAY, 4_999_999, true],
  ])("%s", async (_, jump, pid, taken) => {
    const stage = await setScene(sceneOf("stop: continue"), base);
    stage.write(".ralph-lock", `${pid}\n`);
    utimesSync(stage.path(".ralph-lock"), new Date(), new Date());
    stage.clock.pass(jump);
    const { answer } = await stop(stage);
    expect(answer).toBe(taken ? "task" : "none");
    expect(stage.names().includes(".ralph-lock")).toBe(!taken);
  });

  it("back leaves undo its checkpoints", async () => {
    const scene = sceneOf("undo (git)");
    const stage = await setScene(scene, base);
    stage.clock.pass(-DAY);
    expect(await scene.act(stage)).toMatchObject({ code: 0 });
    await finish(stage, scene);
  });
});

interface Line {
  readonly loop: { readonly iteration: number };
}
