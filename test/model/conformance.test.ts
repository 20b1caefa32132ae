import { describe, expect, it } from "vitest";
import { formatAgreement } from "../../src/run/agreement-file.ts";
import { parseLastEntry } from "../../src/run/journal-lines.ts";
import type { Entry } from "../../src/run/journal.ts";
import { layouts } from "../support/editions.ts";
import { movesOf } from "./moves.ts";
import { Real } from "./real.ts";
import { gameOf, type Scenario, startOf } from "./scenarios.ts";
import { listOf, stateOf, TOKEN, type World } from "./world.ts";

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
    "forges the state",
    "edits the tasks",
    "user",
    "helps itself",
  ],
  fields: { recoveryMode: true },
  bounds: { depth: 0, worlds: 0 },
};

/** What both know: times, runs and commits are the disk's own. */
function entryOf(last: Entry | undefined): unknown {
  if (last === undefined) return undefined;
  const { run: _, began: __, head: ___, mark, continued, ...loop } = last.loop;
  const driven = continued > 0;
  const { event, held } = last;
  return { event, held, ...loop, mark: mark.slice(0, mark.lastIndexOf(" ")), driven };
}

/** What the user is asked, in whatever words. */
const parse = (text: string | undefined): unknown => {
  if (text === undefined) return undefined;
  try {
    const value = JSON.parse(text) as { approvalReason?: unknown };
    return value.approvalReason === undefined ? value : { ...value, approvalReason: "" };
  } catch {
    return text;
  }
};

function expectSame(real: Real, world: World, way: readonly string[]): void {
  const where = way.join("\n");
  expect(real.read("tasks.md"), where).toBe(world.tasks);
  const token = real.token() ?? TOKEN;
  expect(parse(real.read(real.place.layout.stateFile)?.replace(token, TOKEN)), where).toEqual(
    parse(world.state),
  );
  expect(entryOf(parseLastEntry(real.kept("journal") ?? "")), where).toEqual(entryOf(world.last));
  expect(parse(real.kept("agreement")), where).toEqual(
    world.agreed && parse(formatAgreement(world.agreed)),
  );
}

/** Refused, so that nothing comes of it: the program has to agree that it is. */
const REFUSED = /calls resume itself|takes it as approved|empties the journal/;

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
    real.go("a", "implement");
    const way: string[] = [];
    expectSame(real, world, way);
    const random = numbers(seed * 7919);
    for (let step = 0; step < 14; step++) {
      // A list that is gone or a run that is over would leave little to compare.
      const moves = movesOf(world, game).filter(
        (one) =>
          (one.world !== world || REFUSED.test(one.name)) &&
          !/deletes the list|adds a task/.test(one.name) &&
          // How long a run may be is said by another command than the one that is typed here.
          !(one.name.includes('"go"') && world.last?.loop.open !== true) &&
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
