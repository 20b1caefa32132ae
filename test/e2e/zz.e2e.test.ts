import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { hookAnswers } from "./hooks.ts";
import { CURRENT, OLD } from "./install.ts";
import type { Script } from "./model.ts";
import { isDriven } from "./players.ts";
import { layouts } from "./project.ts";
import { perform, stageModel, stageProject } from "./stage.ts";
import { bash } from "./wire.ts";

test.each([CURRENT, OLD])("measure %s", async (version) => {
  const project = stageProject(layouts[0], 2, (ids) =>
    ["# Tasks", "", ...ids.flatMap((id) => [`- [ ] ${id} Write part ${id}`, `  - **Verify**: \`test -f out-${id}.txt\``, ""])].join("\n"));
  const hooks = { SubagentStop: [{ hooks: [{ type: "command", command: `cat >> '${project.path("subs.log")}'; echo >> '${project.path("subs.log")}'` }] }],
   Stop: [{ hooks: [{ type: "command", command: `cat >> '${project.path("subs.log")}'; echo >> '${project.path("subs.log")}'` }] }] };
  project.write(".claude/settings.json", JSON.stringify({ hooks }));
  const log: string[] = [];
  const t0 = Date.now();
  const script: Script = (ask) => {
    log.push(`${Date.now() - t0} ${ask.asker} ${ask.agentId ?? ""} news=${JSON.stringify(ask.news.slice(0, 1500))}`);
    if (ask.asker === "sub") {
      const id = /Do task (\S+):/.exec(ask.order)?.[1];
      if (ask.result !== undefined) return `Now really. TASK_COMPLETE\n\nTASK_COMPLETE`;
      if (ask.news.includes("not done")) return { call: [bash(`touch out-${id}.txt`)] };
      return "Wrote it.\nTASK_COMPLETE";
    }
    if (ask.news.includes("<task-notification>")) return "Noted.";
    if (ask.result !== undefined || !isDriven(project, ask)) return "Waiting.";
    const tasks = [...ask.text.matchAll(/^## Task (\S+) → (\S+)/gm)];
    return { call: tasks.map(([, id, agent]) => ({ name: "Agent", input: { description: `Task ${id}`, prompt: `Do task ${id}: please`, subagent_type: agent?.replace(/,$/, "") } })) };
  };
  const model = await stageModel(script, { main: 20, sub: 20 });
  const run = await perform(project, model, project.slash("implement"), { version });
  writeFileSync(`/tmp/measure/${version}.log`, [
    JSON.stringify(model.calls), `${run.wallMs}`,
    ...log, project.read("subs.log"), JSON.stringify(hookAnswers(run.events, "SubagentStop"), null, 1), JSON.stringify(hookAnswers(run.events, "Stop").map(x=>x.stdout.slice(0,100)), null, 1), project.read(project.tasksFile), project.progress(),
    ...project.journal().map((e) => JSON.stringify({ ...e, loop: undefined })),
  ].join("\n"));
  expect(project.open()).toEqual([]);
});
