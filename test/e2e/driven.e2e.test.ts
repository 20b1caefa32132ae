import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { writeLease } from "../support/lease.ts";
import { blocks, hookAnswers } from "./hooks.ts";
import { byProgram, worker } from "./players.ts";
import { oneLayout, type Project } from "./project.ts";
import { expectFinished, perform, stageClient, stageModel, stageProject } from "./stage.ts";
import { bash } from "./wire.ts";

const MARK = { SMART_RALPH_DRIVEN: "run-1" };

/** As a repository or an agent can bring it. */
function setMark(project: Project): void {
  const file = ".claude/settings.json";
  project.write(file, JSON.stringify({ env: MARK }));
  project.git("add", "--force", file);
  project.git("commit", "--quiet", "-m", "settings");
}

/** A run of three tasks whose client is killed at the second one; returns its session. */
async function interrupt(project: Project): Promise<string> {
  const sessionId = randomUUID();
  const model = await stageModel(
    worker(project, byProgram, (_ask, id) => {
      if (id !== project.ids[1]) return undefined;
      setTimeout(() => client.kill(), 200);
      return { call: [bash("sleep 2")] };
    }),
    { main: 4 },
  );
  const prompt = project.slash("implement");
  const client = await stageClient(project, model, { prompt, sessionId });
  expect((await client.done).signal).toBe("SIGKILL");
  expect(project.state()).toBeDefined();
  return sessionId;
}

describe.each(oneLayout)("$id: a session that is driven from outside", (layout) => {
  test("our hooks stand down, and work again without the mark", async () => {
    const project = stageProject(layout, 3);
    const sessionId = await interrupt(project);
    const noted = project.journal().length;
    const quiet = await stageModel(() => "That was this turn.", { main: 1 });
    writeLease(project.home);
    const driven = await perform(project, quiet, "go on", { resume: sessionId, env: MARK });
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

describe.each(oneLayout)("$id: the mark in a settings file, without a run", (layout) => {
  test("does not end the user's run: it goes on in the next session", async () => {
    const project = stageProject(layout, 3);
    const sessionId = await interrupt(project);
    setMark(project);
    const model = await stageModel(worker(project), { main: 6 });
    const own = await perform(project, model, "go on", { resume: sessionId });
    expect(blocks(own.events)).not.toEqual([]);
    expectFinished(project);
  });

  test("of a clone: the user's command is refused, and they are told why", async () => {
    const project = stageProject(layout, 2);
    setMark(project);
    const model = await stageModel(() => "As it says.", { main: 1 });
    const run = await perform(project, model, project.slash("implement"));
    expect(project.state()).toBeUndefined();
    const says = /SMART_RALPH_DRIVEN.*"env" in settings\.json/;
    const [line] = hookAnswers(run.events, "UserPromptExpansion");
    expect(line?.systemMessage).toMatch(says);
    // The agent is told to pass it on.
    expect(model.asks.map(({ news }) => news).join("\n")).toMatch(says);
  });
});
