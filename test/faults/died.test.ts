import { describe, it } from "vitest";
import type { Ran } from "../program/child.ts";
import { isFull } from "../support/full.ts";
import { some, tryAll } from "./attempts.ts";
import type { Around, Call } from "./calls.ts";
import { Death } from "./inside.ts";
import { type Scene } from "./scene.ts";
import { scenes, setScene } from "./scenes.ts";
import { makeBase, type Stage } from "./stage.ts";
import {
  expectDemand,
  expectSame,
  expectWhole,
  finish,
  type Versions,
  versionsOf,
} from "./survive.ts";

const base = makeBase();

interface Point {
  readonly at: number;
  readonly half: boolean;
  readonly call: Call;
}

/** Counts what a scene writes: each call is a point to die at, and each that has bytes another one, half-way through. */
async function pointsOf(scene: Scene, stage: Stage): Promise<[Point[], Ran]> {
  const points: Point[] = [];
  let at = 0;
  const ran = await scene.act(stage, (call, proceed, half) => {
    if (call.writes) {
      points.push({ at, half: false, call });
      if (half !== undefined) points.push({ at, half: true, call });
      at++;
    }
    return proceed();
  });
  return [points, ran];
}

/** Before the call, or in the middle of it. To die after one call is to die before the next. */
function dieAt({ at, half: isHalf }: Point): Around {
  let count = 0;
  return (call, proceed, half) => {
    if (call.writes && count++ === at) {
      if (isHalf) half?.();
      throw new Death();
    }
    return proceed();
  };
}

const nameOf = ({ at, half, call }: Point): string =>
  `${half ? "half-way through" : "before"} call ${at}, ${call.name} ${call.on}`;

describe.each(scenes)("$name", (scene) => {
  it("survives its process dying (simulated) at every call that writes", async () => {
    const ready = await setScene(scene, base);
    const after = ready.copy(base);
    const [points, ran] = await pointsOf(scene, after);
    const versions = versionsOf(scene, ready, after, ran);
    await tryAll({ scene: scene.name, way: "died" }, some(points, 3), nameOf, async (point, i) => {
      if (isFull || i % 2 === 0) await die(scene, ready, point, versions, "stop");
      if (isFull || i % 2 === 1) await die(scene, ready, point, versions, "again");
    });
  });
});

/** What comes next is a stop, or whoever called tries the same again: both have to work. */
async function die(
  scene: Scene,
  ready: Stage,
  point: Point,
  versions: Versions,
  next: "stop" | "again",
): Promise<void> {
  const stage = ready.copy(base);
  await scene.act(stage, dieAt(point));
  expectWhole(stage, versions);
  // Until then the lock of a dead process counts as alive.
  stage.clock.pass(3000);
  if (next === "stop") await expectDemand(stage, scene);
  else expectSame(await scene.act(stage), stage, scene, versions);
  await finish(stage, scene);
  stage.remove();
}
