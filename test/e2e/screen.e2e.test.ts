import { expect, test } from "vitest";
import { specum } from "./place.ts";
import { byProgram, worker } from "./players.ts";
import { noScreen, openScreen } from "./screen.ts";
import { stageModel, stageProject } from "./stage.ts";

// No native build of the terminal for this machine.
test.skipIf(noScreen)("a run in a terminal", async () => {
  const project = stageProject(specum, 2);
  const model = await stageModel(worker(project, byProgram), { main: 10 });
  const screen = await openScreen(project, model, { permissions: "skip" });
  await screen.type(project.slash("implement"));
  const lines = await screen.until(/all 2 tasks done/);
  expect(lines.join("\n")).toContain("● Bash(ralph-specum done 1.2");
  expect(project.open()).toEqual([]);
});
