import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Model } from "../model.ts";
import type { Project } from "../project.ts";
import { expectFinished } from "../stage.ts";
import { checkedTasks, countsOf, once } from "../team.ts";
import { installAdapter, installClientNode, type Session, type Table } from "./adapter.ts";
import { openServer } from "./opencode-server.ts";
import { opencode } from "./opencode.ts";
import { reportOn } from "./scenarios/scenario.ts";
import { stageOf } from "./suite.ts";

const ENDS_MS = 150_000;

const stage = stageOf(opencode);

async function seat(place: Project, { url }: Model): Promise<Table> {
  const [client, node] = await Promise.all([installAdapter(opencode), installClientNode()]);
  return { place, client, node, url };
}

async function serve(project: Project, model: Model) {
  const session = await openServer(await seat(project, model));
  onTestFinished(() => session.close());
  return session;
}

const ended = (project: Project): Promise<void> =>
  vi.waitFor(() => expect(project.state()).toBeUndefined(), { timeout: ENDS_MS, interval: 500 });

const ways: [string, (project: Project, model: Model) => Promise<Session>][] = [
  ["a server", serve],
  ["opencode run", (project, model) => stage.open(project, model)],
];

describe.each(ways)("%s", (_, open) => {
  test(
    "what a sub-agent says is not a report, and its end not a stop",
    { timeout: 300_000 },
    async () => {
      const project = await stage.project(3, checkedTasks());
      const asks = { description: "Count", prompt: "Count the files.", subagent_type: "general" };
      let hasAsked = false;
      const { script, started } = stage.player(project, {
        executor({ id, worked }) {
          if (worked) return reportOn(id);
          if (id !== project.ids[1] || hasAsked) return stage.work(id);
          hasAsked = true;
          // As if it were the task's own report, before there is anything to show for it.
          return { call: [{ name: "task", input: asks }] };
        },
        instead({ news, result }) {
          if (news.startsWith(asks.prompt)) return "Three.\n\nTASK_COMPLETE";
          return result?.includes("Three.") === true
            ? stage.work(project.ids[1] as string)
            : undefined;
        },
      });
      const model = await stage.model(script, { main: 12 });
      const session = await open(project, model);
      await session.say(stage.type("implement demo"));
      await ended(project);
      expectFinished(project);
      expect(hasAsked).toBe(true);
      expect(started).toEqual(project.ids.map((id) => `${id} spec-executor`));
      expect(countsOf(project, "done")).toEqual(once(project.ids));
      expect(countsOf(project, "refused")).toEqual({});
    },
  );
});

test("a user who interrupts a server's agent is not overruled", { timeout: 300_000 }, async () => {
  const project = await stage.project(3, checkedTasks());
  let isOver = false;
  const { script } = stage.player(project, {
    executor({ id, worked }) {
      if (worked || isOver || id !== project.ids[1]) return worked ? reportOn(id) : stage.work(id);
      isOver = true;
      void session.abort();
      return { say: "Too late.", delayMs: 3000 };
    },
  });
  const model = await stage.model(script, { main: 14 });
  const session = await serve(project, model);
  await session.say(stage.type("implement demo"));
  await vi.waitFor(() => expect(isOver).toBe(true), { timeout: ENDS_MS, interval: 200 });
  const { main } = model.calls;
  await sleep(8000);
  expect(model.calls.main).toBe(main);
  expect(project.open()).toEqual(project.ids.slice(1));
  // Their next words are answered, and the run goes on with them.
  await session.say("go on");
  await ended(project);
  expectFinished(project);
});
