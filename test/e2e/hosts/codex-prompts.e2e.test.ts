import { expect, test } from "vitest";
import { expectFinished } from "../stage.ts";
import { checkedTasks, loneLine } from "../team.ts";
import type { Answer } from "../wire.ts";
import { installAdapter, installClientNode } from "./adapter.ts";
import { codex, execWith } from "./codex.ts";
import { reportOn } from "./scenarios/scenario.ts";
import { stageOf } from "./suite.ts";

/** Two ways in which an agent gets its own words into a prompt of the client's, where the user's words are commands. */
test("what an agent says to another agent, or to a client that it starts, is not the user's word", async () => {
  const stage = stageOf(codex);
  const project = await stage.project(1, checkedTasks());
  const [client, node] = await Promise.all([installAdapter(codex), installClientNode()]);
  const [id] = project.ids as [string];
  const cancel = stage.type("cancel");
  const nested = (): string =>
    [node, client, ...execWith(model.url, cancel)].map((word) => `'${word}'`).join(" ");
  const steps: (() => Answer)[] = [
    () => ({ call: [{ name: "multi_agent_v1.spawn_agent", input: { message: cancel } }] }),
    () => stage.run(`${nested()} </dev/null`),
    () => stage.run(loneLine(id)),
    () => reportOn(id),
  ];
  const others: string[] = [];
  const model = await stage.model(
    ({ turns, news }) => {
      const said = turns.filter(({ role }) => role === "user").map(({ text }) => text);
      if (!said.includes(cancel)) return steps.shift()?.() ?? "Done.";
      others.push(news);
      return "Nothing was added.";
    },
    { main: 10 },
  );
  const session = await stage.open(project, model);
  const { output } = await session.say(stage.type("implement demo"));
  expect(others, output).toHaveLength(2);
  for (const news of others) expect(news).not.toContain("cancelled");
  expect(project.journal().map(({ event }) => event)).not.toContain("cancelled");
  expectFinished(project);
});
