import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Entry } from "../../src/core/journal.ts";
import { layouts } from "../../src/core/layout.ts";
import { movesOf } from "./moves.ts";
import { Real } from "./real.ts";
import { gameOf, type Scenario, startOf } from "./scenarios.ts";
import { listOf, stateOf, type World } from "./world.ts";

const task = (id: string, title: string): string =>
  `- [ ] ${id} ${title}\n  - **Verify**: \`test -e worked-${id}\`\n`;

const scenario: Scenario = {
  name: "walks",
  tasks: task("1.1", "[P] one") + task("1.2", "[P] two") + task("1.3", "[VERIFY] check"),
  actors: [
    "reports",
    "fails",
    "reshapes",
    "edits the state",
    "edits the tasks",
    "user",
    "helps itself",
  ],
  fields: { recoveryMode: true },
  bounds: { depth: 0, worlds: 0 },
};

/** What both know: times, runs and commits are the disk's own. */
function loopOf(last: Entry | undefined): unknown {
  if (last === undefined) return undefined;
  const { run: _, began: __, head: ___, mark, continued, ...loop } = last.loop;
  return { ...loop, mark: mark.slice(0, mark.lastIndexOf(" ")), driven: continued > 0 };
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

function expectSame(real: Real, world: World, way: readonly string[]): void {
  const { layout, entries } = real.place;
  const read = (name: string): string | undefined =>
    real.exists(name) ? readFileSync(real.path(name), "utf8") : undefined;
  const state = read(layout.stateFile);
  const where = way.join("\n");
  expect(read("tasks.md"), where).toBe(world.tasks);
  expect(state === undefined ? undefined : parse(state), where).toEqual(
    world.state === undefined ? undefined : parse(world.state),
  );
  expect(loopOf(entries().at(-1)), where).toEqual(loopOf(world.last));
}

/** A walk that is the same every time. */
function* numbers(seed: number): Generator<number> {
  for (let value = seed; ;) {
    value = (Math.imul(value, 1103515245) + 12345) & 0x7fffffff;
    yield value >> 8;
  }
}

describe.each(layouts)("the model of $plugin and the program agree", (layout) => {
  const seeds = Array.from({ length: Number(process.env["MODEL_WALKS"] ?? 3) }, (_, i) => i + 1);
  it.each(seeds)("on walk %i", (seed) => {
    const game = gameOf(scenario, layout);
    let world = startOf(scenario, game);
    const real = new Real(game, {
      ...world,
      state: JSON.stringify({
        maxTaskIterations: 2,
        maxGlobalIterations: game.maxIterations,
        maxFixTasksPerOriginal: 1,
        maxModificationsPerTask: 1,
        recoveryMode: true,
        phase: "execution",
      }),
    });
    real.go("a");
    const way: string[] = [];
    expectSame(real, world, way);
    const random = numbers(seed * 7919);
    for (let step = 0; step < 14; step++) {
      // A list that is gone or a run that is over would leave little to compare.
      const moves = movesOf(world, game).filter(
        (one) =>
          one.world !== world &&
          !/deletes|adds a task|another phase/.test(one.name) &&
          (one.world.tasks === undefined || listOf(one.world.tasks).tasks.length > 0) &&
          (one.world.state !== undefined || step > 9),
      );
      const move = moves[(random.next().value as number) % Math.max(1, moves.length)];
      if (move === undefined) break;
      way.push(move.name);
      if (!real.perform(move, move.world)) throw new Error(`nobody can do this: ${move.name}`);
      world = move.world;
      expectSame(real, world, way);
    }
    expect(stateOf(world).kind).toBeDefined();
  });
});
