import { describe, expect, test } from "vitest";
import { fewOf } from "../support/full.ts";
import { IN_FOREGROUND } from "./install.ts";
import { specum } from "./place.ts";
import { noScreen, openScreen } from "./screen.ts";
import { expectFinished, stageModel, stageProject } from "./stage.ts";
import { checkedTasks, IDLE, outputOf, team, work } from "./team.ts";

const REPORT = "Wrote it.\n\nTASK_COMPLETE";

// No native build of the terminal for this machine.
describe.skipIf(noScreen)("what a person sees", () => {
  const ways = [
    { what: "in the background, as the client likes it", env: {} },
    { what: "in the foreground, as the settings may say", env: IN_FOREGROUND },
  ];
  test.each(fewOf(ways))("3 tasks, one of them a lie at first; agents $what", async ({ env }) => {
    const project = stageProject(specum, 3, checkedTasks());
    project.write(".claude/settings.json", JSON.stringify({ env }));
    project.git("add", ".");
    project.git("commit", "--quiet", "-m", "settings");
    const [first, liar, last] = project.ids as [string, string, string];
    const { script } = team(project, {
      executor({ id, turn, worked }) {
        if (worked) return REPORT;
        return id === liar && turn === 1 ? IDLE : work(id);
      },
    });
    const model = await stageModel(script, { main: 4, sub: 7 });
    const options = { permissions: "skip", columns: 300 } as const;
    const screen = await openScreen(project, model, options);
    await screen.type(project.slash("implement"));
    const lines = await screen.until(/all 3 tasks done/);
    await screen.close();
    expectFinished(project);

    expect(lines.join("\n")).toContain("Ralph-specum: 3 tasks: all can be proven");
    const said = lines.flatMap((line) => /[✓✗↩].*/.exec(line)?.[0].replace(/, \d\.\d s/, "") ?? []);
    const proven = (id: string): string => `✓ ${id} proven (test -f ${outputOf(id)})`;
    expect(said).toEqual([
      `${proven(first)} · 1 of 3 · next ${liar} Write part ${liar}`,
      expect.stringContaining(
        `${proven(liar)} after 1 refusal (its Verify \`test -f ${outputOf(liar)}\` failed with exit code 1`,
      ),
      expect.stringContaining(`${proven(last)} · Ralph-specum: demo: all 3 tasks done in 3 turns`),
    ]);
    expect(said[1]).toContain(`2 of 3 · next ${last}`);
    expect(lines.join("\n")).not.toMatch(/hook error|hook feedback|Start this agent|coordinator/);
  });
});
