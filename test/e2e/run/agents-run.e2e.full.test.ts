import { expect, it } from "vitest";
import { opencode, qwen } from "../agents/acp.ts";
import type { AgentAdapter } from "../agents/adapter.ts";
import { copilot } from "../agents/copilot.ts";
import { expectProven, kindsIn, openNight } from "./overnight.ts";
import { idsOf, listOf, worker } from "./tasks.ts";

it.each<[string, AgentAdapter]>([
  ["Qwen Code", qwen],
  ["OpenCode", opencode],
  ["Copilot", copilot],
])("does two tasks with %s", async (_, adapter) => {
  const agents = [adapter];
  const ids = idsOf(2);
  const night = await openNight({ agents, tasks: listOf(ids), script: worker(agents) });
  const ended = await night.run();
  expectProven(night, ended, ids);
  expect(kindsIn(ended, "attempt-started")).toHaveLength(2);
});
