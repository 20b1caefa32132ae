import { expect } from "vitest";
import type { Model } from "../../model.ts";
import { keptProgress, type Project } from "../../project.ts";
import { expectFinished } from "../../stage.ts";
import { checkedTasks, countsOf, once } from "../../team.ts";
import type { Session } from "../adapter.ts";
import type { Stage } from "../suite.ts";
import { reportOn, type Scenario } from "./scenario.ts";

/** A run that its user interrupts when the agent first begins one of these tasks. */
async function interrupted(
  stage: Stage,
  project: Project,
  at: readonly number[],
): Promise<[Session, Model]> {
  const moments = new Set(at.map((index) => project.ids[index]));
  const { script } = stage.player(project, {
    executor({ id, worked }) {
      if (worked || !moments.delete(id)) return worked ? reportOn(id) : stage.work(id);
      session.interrupt();
      return { say: "Too late.", delayMs: 3000 };
    },
  });
  const model = await stage.model(script, { main: 30, sub: 20 });
  const session = await stage.open(project, model);
  await session.say(stage.type("implement demo"));
  expect(project.open()).toEqual(project.ids.slice(2));
  return [session, model];
}

/** How many calls of the model a prompt costs. */
async function costOf(model: Model, prompt: () => Promise<unknown>): Promise<number> {
  const before = model.calls.main;
  await prompt();
  return model.calls.main - before;
}

export const pausing: Scenario = async (stage) => {
  const project = await stage.project(5, checkedTasks());
  const [session, model] = await interrupted(stage, project, [2, 4]);
  await session.say(stage.type("pause"));
  expect(project.state()).toMatchObject({ paused: true });
  // Nothing is handed out while it is paused.
  expect(await costOf(model, () => session.say("hello"))).toBe(1);
  expect(project.open()).toEqual(project.ids.slice(2));

  await session.say(stage.type("resume"));
  expect(project.open()).toEqual(project.ids.slice(4));
  expect(countsOf(project, "done")).toEqual(once(project.ids.slice(0, 4)));
  expect(await costOf(model, () => session.say(stage.type("cancel")))).toBe(1);
  expect(project.state()).toBeUndefined();
  expect(project.open()).toEqual(project.ids.slice(4));
  expect(project.progress().startsWith(keptProgress)).toBe(true);
};

export const bystander: Scenario = async (stage) => {
  const project = await stage.project(3, checkedTasks());
  const visitor = await stage.model(() => "Hello.", { main: 1 });
  let hasVisited = false;
  const { script } = stage.player(project, {
    async executor({ id, worked }) {
      if (worked) return reportOn(id);
      if (id === project.ids[1] && !hasVisited) {
        hasVisited = true;
        const before = project.journal().length;
        const other = await stage.open(project, visitor);
        await other.say("hello");
        expect(project.journal()).toHaveLength(before);
      }
      return stage.work(id);
    },
  });
  const model = await stage.model(script, { main: 10, sub: 6 });
  const session = await stage.open(project, model);
  await session.say(stage.type("implement demo"));
  expect(visitor.calls.main).toBe(1);
  expectFinished(project);
};

export const killed: Scenario = async (stage) => {
  const project = await stage.project(4, checkedTasks());
  const [session] = await interrupted(stage, project, [2]);
  await session.close();
  expect(project.state()).toBeDefined();
  const { script } = stage.player(project, {
    executor: ({ id, worked }) => (worked ? reportOn(id) : stage.work(id)),
  });
  const model = await stage.model(script, { main: 10, sub: 4 });
  const later = await stage.open(project, model);
  const { output } = await later.say(stage.type("resume"));
  expect(project.open(), output).toEqual([]);
  expectFinished(project);
};
