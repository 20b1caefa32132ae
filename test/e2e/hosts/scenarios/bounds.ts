import { expect } from "vitest";
import { checkedTasks } from "../../team.ts";
import { reportOn, type Scenario } from "./scenario.ts";

/** Continuations without movement before we let go, by default. */
const STALLED = 3;

export const talker: Scenario = async (stage) => {
  const project = await stage.project(3, checkedTasks());
  // The prompt, and one call for each continuation.
  const model = await stage.model(() => "Let me think about that.", { main: 1 + STALLED + 1 });
  const session = await stage.open(project, model);
  await session.say(stage.type("implement demo"));
  expect(model.calls.main).toBeGreaterThan(1);
  expect(project.journal().at(-1)).toMatchObject({ event: "stalled" });
  expect(project.open()).toEqual(project.ids);
  expect(project.state()).toBeDefined();
};

export const busy: Scenario = async (stage) => {
  const project = await stage.project(3, checkedTasks());
  const model = await stage.model(
    ({ result }) => (result === undefined ? stage.run("ls") : "Still looking into it."),
    { main: 2 * (1 + STALLED + 1) },
  );
  const session = await stage.open(project, model);
  await session.say(stage.type("implement demo"));
  expect(model.calls.main).toBeGreaterThan(2);
  expect(project.journal().at(-1)).toMatchObject({ event: "stalled" });
  expect(project.open()).toEqual(project.ids);
};

export const corrupt: Scenario = async (stage) => {
  const project = await stage.project(3, checkedTasks());
  let isBroken = false;
  const { script } = stage.player(project, {
    executor: ({ id, worked }) => (worked ? reportOn(id) : stage.work(id)),
    instead({ news, agentId }) {
      if (agentId !== undefined || isBroken || !news.includes(`Task ${project.ids[1]} `))
        return undefined;
      isBroken = true;
      project.writeState('{"phase": "execution", "taskInd');
      return "Oops.";
    },
  });
  const model = await stage.model(script, { main: 3 + 1 + 1 + 3, sub: 4 });
  const session = await stage.open(project, model);
  await session.say(stage.type("implement demo"));
  const told = model.asks.filter(({ news }) => news.includes("Corrupt state file"));
  expect(told).toHaveLength(1);
  expect(told[0]?.news).toContain(stage.type("cancel"));
  expect(project.open()).toEqual(project.ids.slice(1));

  const again = await stage.model(script, { main: 8, sub: 4 });
  const later = await stage.open(project, again);
  const { output } = await later.say(stage.type("implement demo"));
  expect(project.open(), output).toEqual([]);
  expect(project.state()).toBeUndefined();
};
