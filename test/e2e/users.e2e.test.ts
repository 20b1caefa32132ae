import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Client, runCommand } from "./client.ts";
import { blocks, hookAnswers } from "./hooks.ts";
import { repoRoot } from "./install.ts";
import { byProgram, worker } from "./players.ts";
import { fewLayouts, keptProgress, type Project } from "./project.ts";
import { perform, stageClient, stageModel, stageProject } from "./stage.ts";
import { bash } from "./wire.ts";

/** A session with a user at it, who presses Escape when the agent begins the third task. */
async function interruptedAtThird(project: Project, calls: number): Promise<Client> {
  let pressed = false;
  const model = await stageModel(
    worker(project, byProgram, (_ask, id) => {
      if (pressed || id !== project.ids[2]) return undefined;
      pressed = true;
      client.interrupt();
      return { say: "Too late.", delayMs: 1000 };
    }),
    { main: calls },
  );
  const client = await stageClient(project, model, {});
  await client.say(project.slash("implement"));
  expect(project.open()).toEqual(project.ids.slice(2));
  return client;
}

describe.each(fewLayouts)("$id: what users do", (layout) => {
  test("cancel after an interruption", async () => {
    const project = stageProject(layout, 4);
    // Two tasks, the interrupted call, the answers to cancel and to hello.
    const client = await interruptedAtThird(project, 4 + 1 + 2);
    await client.say(project.slash("cancel"));
    expect(project.state()).toBeUndefined();
    await client.say("hello");
    const run = await client.end();
    expect(blocks(run.events)).toHaveLength(2);
    expect(project.open()).toEqual(project.ids.slice(2));
    expect(project.progress().startsWith(keptProgress)).toBe(true);
  });

  test("cancel from a terminal while the agent works", async () => {
    const project = stageProject(layout, 4);
    const model = await stageModel(
      worker(project, byProgram, (_ask, id) => {
        if (id !== project.ids[2]) return undefined;
        project.terminal("cancel");
        return "What was I doing?";
      }),
      { main: 5 },
    );
    await perform(project, model, project.slash("implement"));
    expect(project.state()).toBeUndefined();
    expect(project.open()).toEqual(project.ids.slice(2));
    expect(project.progress().startsWith(keptProgress)).toBe(true);
  });

  test("pause, chat, resume", async () => {
    const project = stageProject(layout, 4);
    // Two tasks, the interrupted call, pause and hello, then the other two tasks.
    const client = await interruptedAtThird(project, 4 + 1 + 2 + 4);
    await client.say(project.slash("pause"));
    await client.say("hello");
    expect(project.state()).toBeDefined();
    expect(project.open()).toEqual(project.ids.slice(2));
    await client.say(project.slash("resume"));
    await client.end();
    expect(project.open()).toEqual([]);
    expect(project.state()).toBeUndefined();
  });

  test("the agent asks for approval", async () => {
    const project = stageProject(layout, 2);
    let asked = false;
    const model = await stageModel(
      worker(project, byProgram, () => {
        if (asked) return undefined;
        asked = true;
        return { call: [bash(`${layout.plugin} await-approval --reason "Which colour?"`)] };
      }),
      { main: 2 + 4 },
    );
    const client = await stageClient(project, model, {});
    await client.say(project.slash("implement"));
    expect(project.state()).toMatchObject({ awaitingApproval: true });
    expect(hookAnswers(client.events, "Stop").at(-1)?.systemMessage).toContain("Which colour?");
    await client.say(project.slash("resume"));
    expect(project.open()).toEqual([]);
    expect(project.state()).toBeUndefined();
  });

  test("arguments are data, and the commands are permitted to run", async () => {
    const project = stageProject(layout, 1);
    const trap = project.path("trap");
    const model = await stageModel(() => "Fine.", { main: 12 });
    await perform(project, model, project.slash(`implement $(touch ${trap}); touch ${trap} it's`));
    await perform(project, model, project.slash("status"), { permissions: "ask" });
    expect(existsSync(trap)).toBe(false);
    const status = model.asks.at(-1);
    expect(status?.text).toContain("demo");
    expect(status?.text).not.toContain("requires approval");
  });

  test("installed from the marketplace", async () => {
    const project = stageProject(layout, 3);
    const market = join(project.home, "market");
    for (const part of [".claude-plugin", "plugins"]) {
      cpSync(join(repoRoot, part), join(market, part), { recursive: true });
    }
    const model = await stageModel(worker(project), { main: 6 });
    const options = { model, home: project.home, cwd: project.root };
    await runCommand(["plugin", "marketplace", "add", market], options);
    await runCommand(["plugin", "install", `${layout.plugin}@smart-ralph`], options);
    expect(project.program("doctor")).toContain("is installed and enabled");
    await perform(project, model, project.slash("implement"), { pluginDirs: [] });
    expect(project.open()).toEqual([]);
    expect(project.state()).toBeUndefined();
  });
});
