import { dirname } from "node:path";
import { expect, test } from "vitest";
import { speckit } from "./place.ts";
import { stageClient, stageModel, stageProject } from "./stage.ts";
import { outputOf, team, work } from "./team.ts";
import { bash } from "./wire.ts";

const UX = "# UX\n\n- [x] CHK001 Is the empty state described?\n- [ ] CHK002 Is `fast` a number?\n";
const TRY = "ralph-speckit implement --despite-checklists";

test("open checklists hold back the run until the user types that they do not", async () => {
  const project = stageProject(speckit, 1);
  project.write(`${dirname(project.tasksFile)}/checklists/ux.md`, UX);
  const { script } = team(project, {
    executor: ({ id, worked }) => (worked ? "Wrote it.\n\nTASK_COMPLETE" : work(id)),
    instead(ask) {
      // An agent that is in a hurry.
      if (ask.result === undefined && ask.text.includes("Not started: checklists"))
        return { call: [bash(TRY)] };
      return ask.result?.includes("only the user") === true ? ask.result : undefined;
    },
  });
  const model = await stageModel(script, { main: 2 + 2, sub: 2 });
  const client = await stageClient(project, model, {});
  await client.say(project.slash("implement"), /only the user can run implement/);
  const asked = model.asks.find(({ asker }) => asker === "main");
  expect(asked?.text).toContain("| ux.md | 2 | 1 | 1 | ✗ FAIL |");
  expect(asked?.text).toContain("--despite-checklists");
  expect(project.state()).toBeUndefined();
  await client.say(project.slash("implement --despite-checklists"), /^ALL_TASKS_COMPLETE$/);
  await client.end();
  expect(project.open()).toEqual([]);
  expect(project.has(outputOf(speckit.taskId(0)))).toBe(true);
  expect(project.progress()).toContain("RISK: begun with ux.md: 1 of 2 items open");
});
