import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { blocks } from "./hooks.ts";
import { byProgram, worker } from "./players.ts";
import { oneLayout } from "./project.ts";
import { expectFinished, perform, stageClient, stageModel, stageProject } from "./stage.ts";
import { bash } from "./wire.ts";

describe.each(oneLayout)("$id: a session that is driven from outside", (layout) => {
  test("our hooks stand down, and work again without the mark", async () => {
    const project = stageProject(layout, 3);
    const sessionId = randomUUID();
    const first = await stageModel(
      worker(project, byProgram, (_ask, id) => {
        if (id !== project.ids[1]) return undefined;
        setTimeout(() => client.kill(), 200);
        return { call: [bash("sleep 2")] };
      }),
      { main: 4 },
    );
    const prompt = project.slash("implement");
    const client = await stageClient(project, first, { prompt, sessionId });
    expect((await client.done).signal).toBe("SIGKILL");
    expect(project.state()).toBeDefined();

    const noted = project.journal().length;
    const quiet = await stageModel(() => "That was this turn.", { main: 1 });
    const env = { SMART_RALPH_DRIVEN: "run-1" };
    const driven = await perform(project, quiet, "go on", { resume: sessionId, env });
    expect(quiet.calls.main).toBe(1);
    expect(blocks(driven.events)).toEqual([]);
    expect(project.journal()).toHaveLength(noted);
    expect(project.open()).toEqual(project.ids.slice(1));

    const later = await stageModel(worker(project), { main: 6 });
    const own = await perform(project, later, "go on", { resume: sessionId });
    expect(blocks(own.events)).not.toEqual([]);
    expectFinished(project);
  });
});
