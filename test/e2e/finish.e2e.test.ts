import { describe, expect, test } from "vitest";
import { isFull } from "../support/full.ts";
import { blocks } from "./hooks.ts";
import { byHand, byProgram, worker } from "./players.ts";
import { fewLayouts, keptProgress } from "./project.ts";
import { addStopHook, logStops, perform, stageClient, stageModel, stageProject } from "./stage.ts";

describe.each(fewLayouts)("$id: a spec to its end", (layout) => {
  test("12 tasks", async () => {
    const project = stageProject(layout, 12);
    const model = await stageModel(worker(project, byProgram), { main: 24 });
    // With permission checks on: what the commands allow must last through every continuation.
    const extra = { permissions: "ask" } as const;
    const run = await perform(project, model, project.slash("implement"), extra);
    expect(project.open()).toEqual([]);
    expect(project.state()).toBeUndefined();
    // The receipt comes after what was there.
    expect(project.progress().startsWith(keptProgress)).toBe(true);
    const openings = blocks(run.events).map((block) => block.reason?.split("\n")[0]);
    expect(openings).toEqual(
      Array.from({ length: 11 }, (_, i) => `${layout.opening} (Task ${i + 2}/12, Iter ${i + 2})`),
    );
    expect(run.code).toBe(0);
  });

  const many = 60;
  // Three by hand are below.
  test.runIf(isFull)(`${many} tasks, checked off by hand`, async () => {
    const project = stageProject(layout, many);
    const model = await stageModel(worker(project, byHand), { main: 2 * many });
    const run = await perform(project, model, project.slash("implement"));
    expect(project.open()).toEqual([]);
    expect(project.state()).toBeUndefined();
    expect(blocks(run.events)).toHaveLength(many - 1);
  });

  test("a session that starts in a subdirectory, and a false ALL_TASKS_COMPLETE", async () => {
    const project = stageProject(layout, 3);
    const honest = worker(project);
    const model = await stageModel(
      (ask) => (ask.call === 1 ? "Everything is done.\n\nALL_TASKS_COMPLETE" : honest(ask)),
      { main: 7 },
    );
    const cwd = project.path("sub");
    await perform(project, model, project.slash("implement"), { cwd });
    const sentBack = model.asks.find((ask) => ask.asker === "main" && ask.call === 2);
    for (const id of project.ids) expect(sentBack?.text).toContain(id);
    expect(project.open()).toEqual([]);
    expect(project.state()).toBeUndefined();
  });

  test("the agent changes directory and checks off by hand, and a foreign hook watches", async () => {
    const project = stageProject(layout, 3);
    logStops(project);
    const tick = (...args: Parameters<typeof byHand>): string =>
      `cd '${project.path("sub")}' && ${byHand(...args)}`;
    const model = await stageModel(worker(project, tick), { main: 6 });
    await perform(project, model, project.slash("implement"));
    expect(project.open()).toEqual([]);
    expect(project.state()).toBeUndefined();
    // The client did tell its hooks the subdirectory: otherwise this test shows nothing.
    expect(project.read("stops.log")).toContain(`"cwd":${JSON.stringify(project.path("sub"))}`);
  });

  test("a shell in the background does not hold the loop", async () => {
    const project = stageProject(layout, 3);
    logStops(project);
    const server = { command: "sleep 5", description: "a server", run_in_background: true };
    const model = await stageModel(
      worker(project, byProgram, (ask) =>
        ask.call === 1 ? { call: [{ name: "Bash", input: server }] } : undefined,
      ),
      // The turn that starts the shell, and three tasks.
      { main: 2 + 6 },
    );
    const client = await stageClient(project, model, {});
    await client.say(project.slash("implement"));
    expect(project.open()).toEqual([]);
    expect(project.state()).toBeUndefined();
    // The shell was there at the stops: otherwise this test shows nothing.
    expect(project.read("stops.log")).toContain('"type":"shell"');
  });

  test("a foreign hook that itself blocks a few times", async () => {
    const project = stageProject(layout, 4);
    const seen = project.path("seen");
    const command = `echo x >> '${seen}'; [ "$(wc -l < '${seen}')" -gt 3 ] || echo '{"decision":"block","reason":"Lint first."}'`;
    addStopHook(project, command);
    const model = await stageModel(worker(project), { main: 8 });
    const run = await perform(project, model, project.slash("implement"));
    expect(project.open()).toEqual([]);
    expect(project.state()).toBeUndefined();
    expect(blocks(run.events).filter(({ reason }) => reason === "Lint first.")).toHaveLength(3);
  });
});
