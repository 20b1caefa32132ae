import { expect, test } from "vitest";
import { fewOf } from "../../support/full.ts";
import type { Project } from "../project.ts";
import { expectFinished } from "../stage.ts";
import { checkedTasks, countsOf, evidenceIn, once } from "../team.ts";
import { type Adapter, installAdapter, installClientNode, type Session } from "./adapter.ts";
import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { reportOn } from "./scenarios/scenario.ts";
import { type Stage, stageOf } from "./suite.ts";

/** The user is called away when the agent begins the third of four tasks. */
async function beginIn(stage: Stage, project: Project): Promise<Session> {
  let isOver = false;
  const { script } = stage.player(project, {
    executor({ id, worked }) {
      if (worked || isOver || id !== project.ids[2]) return worked ? reportOn(id) : stage.work(id);
      isOver = true;
      session.interrupt();
      return { say: "Too late.", delayMs: 3000 };
    },
  });
  const model = await stage.model(script, { main: 20, sub: 12 });
  const session = await stage.open(project, model);
  await session.say(stage.type("implement demo"));
  expect(project.open()).toEqual(project.ids.slice(2));
  await session.say(stage.type("pause"));
  return session;
}

async function goOnIn(stage: Stage, project: Project): Promise<void> {
  const { adapter } = stage;
  const [client, node] = await Promise.all([installAdapter(adapter), installClientNode()]);
  await adapter.install({ place: project, client, node });
  const { script, started } = stage.player(project, {
    executor: ({ id, worked }) => (worked ? reportOn(id) : stage.work(id)),
  });
  const model = await stage.model(script, { main: 14, sub: 8 });
  const session = await stage.open(project, model);
  const { output } = await session.say(stage.type("resume"));
  expect(project.open(), output).toEqual([]);
  expect(started).toEqual(project.ids.slice(2).map((id) => `${id} spec-executor`));
}

const PAIRS: readonly (readonly [Adapter, Adapter])[] = [
  [claude, codex],
  [codex, claude],
];

test.each(fewOf(PAIRS))(
  "a run that begins in $name goes on in another client, and nothing is lost",
  { timeout: 300_000 },
  async (first, second) => {
    const stage = stageOf(first);
    const project = await stage.project(4, checkedTasks());
    const before = await beginIn(stage, project);
    await goOnIn(stageOf(second), project);
    expectFinished(project);
    expect(countsOf(project, "done")).toEqual(once(project.ids));
    for (const id of project.ids) {
      expect(evidenceIn(project, id)).toEqual([expect.objectContaining({ exitCode: 0 })]);
      expect(project.progress()).toMatch(
        new RegExp(`^\\| ${id} \\| proven \\| .*\\| passed \\|`, "m"),
      );
    }
    // The first session is still open: it has nothing to do with the run any more.
    const lines = project.journal().length;
    await before.say("hello");
    expect(project.journal()).toHaveLength(lines);
  },
);
