import { expect, it } from "vitest";
import { gemini } from "../agents/acp.ts";
import { codex } from "./codex-here.ts";
import { expectProven, kindsIn, openNight } from "./overnight.ts";
import { idsOf, LIE, listOf, worker } from "./tasks.ts";

it("does three tasks with Codex, and does not believe a lie", async () => {
  const agents = [codex];
  const ids = idsOf(3);
  const night = await openNight({
    agents,
    tasks: listOf(ids),
    script: worker(agents, ({ id, attempt }) => (id === "1.2" && attempt === 1 ? LIE : undefined)),
  });
  const ended = await night.run();
  expectProven(night, ended, ids);
  expect(kindsIn(ended, "refused")).toMatchObject([{ task: "1.2" }]);
});

it("does two tasks with Gemini CLI", async () => {
  const agents = [gemini];
  const ids = idsOf(2);
  const night = await openNight({ agents, tasks: listOf(ids), script: worker(agents) });
  const ended = await night.run();
  expectProven(night, ended, ids);
  expect(kindsIn(ended, "attempt-started")).toHaveLength(2);
});
