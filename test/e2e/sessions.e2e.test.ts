import { describe, expect, test } from "vitest";
import { blocks } from "./hooks.ts";
import { IN_BACKGROUND } from "./install.ts";
import { byProgram, worker } from "./players.ts";
import { keptProgress, oneLayout } from "./project.ts";
import { expectFinished, perform, stageClient, stageModel, stageProject } from "./stage.ts";
import { checkedTasks, countsOf, once, team, work } from "./team.ts";
import { bash } from "./wire.ts";

describe.each(oneLayout)("$id: sessions", (layout) => {
  test("agents in the background get each task exactly once, for one call each", async () => {
    const project = stageProject(layout, 4, checkedTasks());
    const { script } = team(project, {
      executor: ({ id, worked }) => (worked ? "Wrote it.\n\nTASK_COMPLETE" : work(id)),
    });
    const model = await stageModel(script, { main: 4 + 1, sub: 8 });
    const options = { env: IN_BACKGROUND };
    const run = await perform(project, model, project.slash("implement"), options);
    expectFinished(project);
    expect(countsOf(project, "delegated")).toEqual(once(project.ids));
    expect(blocks(run.events)).toEqual([]);
    // They did run in the background: otherwise this test shows nothing.
    expect(model.asks.filter(({ news }) => news.includes("<task-notification>"))).toHaveLength(4);
  });

  test("a bystander in the same folder", async () => {
    const project = stageProject(layout, 3);
    const bystander = await stageModel(() => "Hello.", { main: 1 });
    const model = await stageModel(
      worker(project, byProgram, async (_ask, id) => {
        if (id !== project.ids[1]) return undefined;
        const before = project.journal().length;
        const other = await perform(project, bystander, "hello");
        expect(blocks(other.events)).toEqual([]);
        expect(project.journal()).toHaveLength(before);
        return undefined;
      }),
      { main: 6 },
    );
    await perform(project, model, project.slash("implement"));
    expect(bystander.calls.main).toBe(1);
    expect(project.open()).toEqual([]);
    expect(project.state()).toBeUndefined();
  });

  test("a client killed in the middle of a task, resumed in a new session", async () => {
    const project = stageProject(layout, 4);
    const model = await stageModel(
      worker(project, byProgram, (_ask, id) => {
        if (id !== project.ids[2]) return undefined;
        setTimeout(() => client.kill(), 200);
        return { call: [bash("sleep 2")] };
      }),
      { main: 6 },
    );
    const client = await stageClient(project, model, { prompt: project.slash("implement") });
    expect((await client.done).signal).toBe("SIGKILL");
    expect(project.open()).toEqual(project.ids.slice(2));
    expect(project.state()).toBeDefined();

    const later = await stageModel(worker(project), { main: 4 });
    await perform(project, later, project.slash("resume"));
    expect(project.open()).toEqual([]);
    expect(project.state()).toBeUndefined();
    // The receipt comes after what was there.
    expect(project.progress().startsWith(keptProgress)).toBe(true);
  });

  test("a service error is recorded, shown by status, and resumed from", async () => {
    const project = stageProject(layout, 3);
    const model = await stageModel(
      worker(project, byProgram, (_ask, id) =>
        id === project.ids[1] ? { status: 529 } : undefined,
      ),
      { main: 3 },
    );
    // The client's own ten retries would take minutes.
    const env = { CLAUDE_CODE_MAX_RETRIES: "0" };
    const run = await perform(project, model, project.slash("implement"), { env });
    expect(run.code).toBe(1);
    expect(project.journal()).toContainEqual(expect.objectContaining({ event: "service-error" }));
    expect(project.program("status")).toMatch(/529|server_error/);
    expect(project.open()).toEqual(project.ids.slice(1));

    // A session that begins here hears about it, and is left alone.
    const visits: string[] = [];
    const visitor = await stageModel(
      (ask) => {
        visits.push(JSON.stringify(ask.request));
        return "Hello.";
      },
      { main: 1 },
    );
    await perform(project, visitor, "hello");
    expect(visits.join()).toContain(`:resume continues`);

    const later = await stageModel(worker(project), { main: 4 });
    await perform(project, later, project.slash("resume"));
    expect(project.open()).toEqual([]);
    expect(project.state()).toBeUndefined();
  });
});
