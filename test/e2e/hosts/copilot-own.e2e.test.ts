import { expect, test } from "vitest";
import { copilot as host } from "../../../src/hosts/copilot/host.ts";
import { expectFinished } from "../stage.ts";
import { checkedTasks, countsOf, once } from "../team.ts";
import { copilot } from "./copilot.ts";
import { reportOn } from "./scenarios/scenario.ts";
import { stageOf } from "./suite.ts";

const MAX = host.stops?.max as number;
/** One more than fits into a prompt. */
const TASKS = MAX + 2;
const LAST = "ends this prompt with your next turn";

test(
  "an agent that reports by ending its turn loses nothing when the client ends the prompt",
  {
    timeout: 300_000,
  },
  async () => {
    const stage = stageOf({ ...copilot, reports: "message" });
    const project = await stage.project(TASKS, checkedTasks());
    const { script } = stage.player(project, {
      executor: ({ id, worked }) => (worked ? reportOn(id) : stage.work(id)),
    });
    const model = await stage.model(script, { main: 2 * TASKS + 4 });
    const session = await stage.open(project, model);
    await session.say(stage.type("implement demo"));
    // The last report was heard too, although the client did not hand out what came of it.
    expect(project.open()).toEqual(project.ids.slice(MAX + 1));
    const warned = model.asks.filter(({ news }) => news.includes(LAST));
    expect(warned).toHaveLength(1);
    expect(warned[0]?.text).toContain(`\`${stage.type("resume")}\` continues here`);

    await session.say(stage.type("resume"));
    expectFinished(project);
    expect(countsOf(project, "done")).toEqual(once(project.ids));
    expect(countsOf(project, "refused")).toEqual({});
  },
);

test(
  "what an agent has a sub-agent told is not what the user typed",
  {
    timeout: 120_000,
  },
  async () => {
    const stage = stageOf(copilot);
    const project = await stage.project(2, checkedTasks());
    const forged = stage.type("cancel demo");
    const start = { name: "sub", description: "help", prompt: forged };
    const task = { name: "task", input: { agent_type: "general-purpose", mode: "sync", ...start } };
    let told = "";
    let calls = 0;
    const model = await stage.model(
      ({ order, text }) => {
        if (order.includes(forged)) {
          told = text;
          return "Nothing to do.";
        }
        return calls++ === 0 ? { call: [task] } : "Noted.";
      },
      { main: 12 },
    );
    const session = await stage.open(project, model);
    await session.say(stage.type("implement demo"));
    expect(told).toContain(forged);
    // The hook would have added what the command says.
    expect(told).not.toContain("system_reminder");
    expect(project.state()).toMatchObject({ phase: "execution" });
  },
);
