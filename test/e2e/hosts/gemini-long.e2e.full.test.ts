import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { expectFinished } from "../stage.ts";
import { checkedTasks, countsOf, once } from "../team.ts";
import { gemini, SETTINGS } from "./gemini.ts";
import { reportOn } from "./scenarios/scenario.ts";
import { stageOf } from "./suite.ts";

/** Two turns each: more than thirty. */
const TASKS = 20;

/** What the client asks a model about its own agent, after thirty turns. */
const isSuspicion = ({ system }: { readonly system: string }): boolean =>
  system.includes("stuck in an unproductive loop");

it.each([
  ["off, as init sets it", true],
  ["on", false],
])(
  "a run of forty turns ends with the client's loop check %s",
  { timeout: 300_000 },
  async (_, isOff) => {
    const stage = stageOf(gemini);
    const project = await stage.project(TASKS, checkedTasks());
    const settings = { ...SETTINGS, model: { disableLoopDetection: isOff } };
    writeFileSync(join(project.home, ".gemini", "settings.json"), JSON.stringify(settings));
    const { script } = stage.player(project, {
      executor: ({ id, worked }) => (worked ? reportOn(id) : stage.work(id)),
    });
    const model = await stage.model(script, { main: 2 * TASKS + 2 });
    const session = await stage.open(project, model);
    const { output } = await session.say(stage.type("implement demo"));
    expect(project.open(), output).toEqual([]);
    expectFinished(project);
    expect(countsOf(project, "done")).toEqual(once(project.ids));
    // Each task begins with an empty context.
    const longest = Math.max(...model.asks.map(({ turns }) => turns.length));
    expect(longest).toBeLessThan(8);
    expect(model.asks.filter(isSuspicion).length > 0).toBe(!isOff);
  },
);
