import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeProgram, type Ran, startChild } from "../program/child.ts";
import { isFull } from "../support/full.ts";
import { some, tryAll } from "./attempts.ts";
import { CALLS_TO, DIE_AT } from "./preload.ts";
import { type Scene } from "./scene.ts";
import { scenes, setScene } from "./scenes.ts";
import { DIST, makeBase, Stage } from "./stage.ts";
import { expectDemand, expectWhole, finish, type Versions, versionsOf } from "./survive.ts";

const base = makeBase();
const preload = makeProgram('import { preload } from "../test/faults/preload.ts"; preload();');

/** These are killed at more points than the others, unless every point is tried. */
const OFTEN = new Set(["stop: continue", "stop: finished", "done"]);

/** A project in which hook and commands are separate processes. */
class OwnProcesses extends Stage {
  private readonly told: Readonly<Record<string, string>>;

  constructor(home: string, told: Readonly<Record<string, string>>) {
    super(home);
    this.told = told;
  }

  override command(args: readonly string[], _?: unknown, input = ""): Promise<Ran> {
    return this.node("cli.cjs", ["--layout=specum", ...args], input);
  }

  override hook(event: string, fields: object = {}): Promise<Ran> {
    return this.node("hook.cjs", ["specum", event], this.inputOf(fields));
  }

  private node(file: string, args: readonly string[], input: string): Promise<Ran> {
    return startChild(process.execPath, ["--require", preload, join(DIST, file), ...args], {
      cwd: this.root,
      env: { ...this.env, ...this.told },
      input,
    });
  }
}

type When = "before" | "after" | "half";
interface Point {
  readonly at: number;
  readonly when: When;
  readonly call: string;
}

async function pointsOf(scene: Scene, stage: Stage): Promise<[Point[], Ran]> {
  const list = join(stage.home, "calls");
  const ran = await scene.act(new OwnProcesses(stage.home, { [CALLS_TO]: list }));
  const lines = readFileSync(list, "utf8").trimEnd().split("\n");
  const points = lines.flatMap((call, at) => {
    const whens: When[] = call.startsWith("bytes")
      ? ["before", "half", "after"]
      : ["before", "after"];
    return whens.map((when) => ({ at, when, call }));
  });
  return [points, ran];
}

describe.each(scenes)("$name", (scene) => {
  it("survives SIGKILL before, in and after every call that writes", async () => {
    const ready = await setScene(scene, base);
    const after = ready.copy(base);
    const [points, ran] = await pointsOf(scene, after);
    const versions = versionsOf(scene, ready, after, ran);
    await tryAll(
      { scene: scene.name, way: "SIGKILL" },
      some(points, OFTEN.has(scene.name) ? 12 : 1),
      ({ at, when, call }) => `${when} call ${at}, ${call}`,
      (point, i) => kill(scene, ready, point, versions, isFull || i % 3 === 0),
    );
  });
});

async function kill(
  scene: Scene,
  ready: Stage,
  { at, when }: Point,
  versions: Versions,
  toEnd: boolean,
): Promise<void> {
  const stage = ready.copy(base);
  const { code } = await scene.act(new OwnProcesses(stage.home, { [DIE_AT]: `${at} ${when}` }));
  expect(code, "it was killed").toBeNull();
  expectWhole(stage, versions);
  stage.clock.pass(3000);
  await expectDemand(stage, scene);
  if (toEnd) await finish(stage, scene);
  stage.remove();
}
