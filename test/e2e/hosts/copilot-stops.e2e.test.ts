import { expect, test } from "vitest";
import { copilot as host } from "../../../src/hosts/copilot/host.ts";
import { expectFinished } from "../stage.ts";
import { checkedTasks, countsOf, once } from "../team.ts";
import { copilot } from "./copilot.ts";
import { reportOn } from "./scenarios/scenario.ts";
import { stageOf } from "./suite.ts";

const MAX = host.stops?.max as number;
const LAST = "ends this prompt with your next turn";

test(
  "an agent that reports by ending its turn loses nothing when the client ends the prompt",
  {
    timeout: 300_000,
  },
  async () => {
    const stage = stageOf({ ...copilot, reports: "message" });
    const project = await stage.project(12, checkedTasks());
    const { script } = stage.player(project, {
      executor: ({ id, worked }) => (worked ? reportOn(id) : stage.work(id)),
    });
    const model = await stage.model(script, { main: 2 * 12 + 4 });
    const session = await stage.open(project, model);
    await session.say(stage.type("implement demo"));
    // The last report was heard too, although the client did not hand out what came of it.
    expect(project.open()).toEqual(project.ids.slice(MAX + 1));
    const warned = model.asks.filter(({ news }) => news.includes(LAST));
    expect(warned).toHaveLength(1);
    expect(warned[0]?.text).toContain(`\`${stage.type("resume")}\` goes on`);

    await session.say(stage.type("resume"));
    expectFinished(project);
    expect(countsOf(project, "done")).toEqual(once(project.ids));
    expect(countsOf(project, "refused")).toEqual({});
  },
);
