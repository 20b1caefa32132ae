import { describe, expect, test } from "vitest";
import { blocks, hookAnswers } from "./hooks.ts";
import { NEW_AND_OLD } from "./install.ts";
import { busy, byHand, worker } from "./players.ts";
import { fewLayouts, keptProgress } from "./project.ts";
import { perform, stageModel, stageProject } from "./stage.ts";
import { bash } from "./wire.ts";

describe.each(fewLayouts)("$id: no loop is unbounded", (layout) => {
  test.each(NEW_AND_OLD)("an agent that only talks, with client %s", async (version) => {
    const project = stageProject(layout, 3);
    const model = await stageModel(() => "Let me think about that.", { main: 6 });
    const run = await perform(project, model, project.slash("implement"), { version });
    expect(model.calls.main).toBeGreaterThan(1);
    // We stopped, and said so, before the client's own cap did.
    const last = hookAnswers(run.events, "Stop").at(-1);
    expect(last?.decision).toBeUndefined();
    expect(last?.systemMessage).toContain(project.slash("resume"));
    expect(project.state()).toBeDefined();
    expect(project.open()).toEqual(project.ids);
  });

  test("an agent that is busy without progress", async () => {
    const project = stageProject(layout, 3);
    const model = await stageModel(busy("ls"), { main: 10 });
    const run = await perform(project, model, project.slash("implement"));
    expect(hookAnswers(run.events, "Stop").at(-1)?.systemMessage).toContain(
      project.slash("resume"),
    );
    expect(project.open()).toEqual(project.ids);
  });

  test("a state that turns corrupt is reported once, and implement rebuilds it", async () => {
    const project = stageProject(layout, 5);
    const garbage = '{"phase": "execution", "taskInd';
    const model = await stageModel(
      worker(project, byHand, (ask, id) => {
        if (ask.text.includes("<command-name>") || id !== project.ids[2]) return undefined;
        project.writeState(garbage);
        return "Oops.";
      }),
      // Two tasks, the turn that breaks the state, and at most four calls more.
      { main: 4 + 1 + 4 },
    );
    const run = await perform(project, model, project.slash("implement"));
    const report = blocks(run.events).at(-1)?.reason ?? "";
    expect(report).toContain(layout.stateFile);
    expect(report).toContain(project.slash("implement"));
    expect(report).toContain(project.slash("cancel"));
    expect(blocks(run.events).filter(({ reason }) => reason === report)).toHaveLength(1);
    expect(project.open()).toEqual(project.ids.slice(2));
    expect(project.progress().startsWith(keptProgress)).toBe(true);

    const again = await stageModel(worker(project, byHand), { main: 6 });
    await perform(project, again, project.slash("implement"));
    expect(project.open()).toEqual([]);
    expect(project.state()).toBeUndefined();
  });

  test("the iteration limit", async () => {
    const project = stageProject(layout, 12);
    const advised = layout.id === "specum";
    const model = await stageModel(worker(project), { main: advised ? 9 : 8 });
    const run = await perform(project, model, project.slash("implement --max-global-iterations 4"));
    const answers = hookAnswers(run.events, "Stop");
    if (advised) {
      // Three continuations, then one block with advice, then it may stop.
      const advice = blocks(run.events).at(-1);
      expect(blocks(run.events)).toHaveLength(4);
      expect(advice?.reason).not.toContain(layout.opening);
      expect(advice?.reason).toContain("4");
      expect(advice?.reason).toContain(project.slash("implement"));
    } else {
      expect(blocks(run.events)).toHaveLength(3);
      expect(answers.at(-1)?.systemMessage).toContain("4");
      expect(answers.at(-1)?.stderr).toContain("[ralph-speckit]");
    }
    expect(answers.at(-1)?.decision).toBeUndefined();
    expect(project.open()).toEqual(project.ids.slice(4));
    expect(project.state()).toBeDefined();
  });

  test("counters that the agent erases in every turn", async () => {
    const project = stageProject(layout, 12);
    // It makes a false claim in every turn, which is weighed, so that only the iteration limit can end this.
    const claim = `${layout.plugin} done ${project.ids[0]} --report no || true`;
    const model = await stageModel(
      (ask) => {
        if (ask.result === undefined) return { call: [bash(claim)] };
        project.writeState('{"phase":"execution"}');
        return "Going on.";
      },
      // Five turns; specum's advice makes a sixth.
      { main: layout.id === "specum" ? 12 : 10 },
    );
    const run = await perform(project, model, project.slash("implement --max-global-iterations 5"));
    expect(blocks(run.events)).toHaveLength(layout.id === "specum" ? 5 : 4);
    expect(project.open()).toEqual(project.ids);
  });
});
