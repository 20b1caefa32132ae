import { describe, expect, test } from "vitest";
import { blocks } from "./hooks.ts";
import type { Script } from "./model.ts";
import { byProgram, handedOut, isDriven, worker } from "./players.ts";
import { keptProgress, oneLayout, type Project } from "./project.ts";
import { perform, stageClient, stageModel, stageProject } from "./stage.ts";
import { bash } from "./wire.ts";

/**
 * A coordinator that hands each task to an executor and waits for it. Where sub-agents run in the
 * background its turn ends while they work: that stop must not hand the task out again.
 */
function coordinator(project: Project): Script {
  const { plugin } = project.layout;
  const orders: string[] = [];
  return (ask) => {
    if (ask.asker === "sub") {
      return ask.result === undefined ? { call: [bash("sleep 0.3")] } : "TASK_COMPLETE";
    }
    const reported = ask.news.includes("<task-notification>");
    if (reported) return { call: [bash(byProgram(project, orders.at(-1) as string))] };
    if (ask.result !== undefined || !isDriven(project, ask)) return "Waiting.";
    const id = handedOut(project, ask);
    orders.push(id);
    const input = {
      description: `Task ${id}`,
      prompt: id,
      subagent_type: `${plugin}:spec-executor`,
    };
    return { call: [{ name: "Agent", input }] };
  };
}

describe.each(oneLayout)("$id: sessions", (layout) => {
  test("background sub-agents get each task exactly once", async () => {
    const project = stageProject(layout, 4);
    // Order, wait, notification, report: four calls a task; an executor makes two.
    const model = await stageModel(coordinator(project), { main: 16, sub: 8 });
    await perform(project, model, project.slash("implement"));
    const executors = new Map(model.asks.map((ask) => [ask.agentId, ask.order]));
    executors.delete(undefined);
    expect([...executors.values()].map((order) => order.trim())).toEqual(project.ids);
    expect(project.open()).toEqual([]);
    expect(project.state()).toBeUndefined();
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
