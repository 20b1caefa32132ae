import { execFileSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { hookAnswers, linesIn } from "./hooks.ts";
import { CURRENT, NEW_AND_OLD } from "./install.ts";
import { tickLine } from "./players.ts";
import { keptProgress, oneLayout } from "./project.ts";
import { expectFinished, perform, stageModel, stageProject } from "./stage.ts";
import { checkedTasks, countsOf, IDLE, once, outputOf, team, work } from "./team.ts";
import { bash } from "./wire.ts";

describe.each(oneLayout)("$id: the task engine", (layout) => {
  test.each(NEW_AND_OLD)(
    "an executor that lies is sent back, and a coordinator that forgets is not needed: %s",
    async (version) => {
      const project = stageProject(layout, 3, checkedTasks());
      const [, liar] = project.ids;
      const { script, started } = team(project, {
        executor({ id, turn, worked }) {
          // All that it does at first is to tick its own box.
          const isLie = id === liar && turn === 1;
          if (worked) return isLie ? IDLE : "Wrote it.\n\nTASK_COMPLETE";
          return isLie ? { call: [bash(tickLine(project, id))] } : work(id);
        },
      });
      // One call a task, and the end; an executor works and reports, and one lies first. Older clients do not tell
      // their agents' calls apart.
      const calls = version === CURRENT ? { main: 4, sub: 8 } : { main: 4 + 8 };
      const model = await stageModel(script, calls);
      const run = await perform(project, model, project.slash("implement"), { version });
      expectFinished(project);
      expect(started).toEqual(project.ids.map((id) => `${id} spec-executor`));
      const sentBack = hookAnswers(run.events, "SubagentStop").flatMap(
        ({ reason }) => reason ?? [],
      );
      expect(sentBack).toHaveLength(1);
      expect(sentBack[0]).toContain(
        `${liar} is not done: its Verify \`test -f ${outputOf(liar as string)}\``,
      );
      expect(countsOf(project, "refused")).toEqual({ [liar as string]: 1 });
      expect(countsOf(project, "done")).toEqual(once(project.ids));

      const commits = execFileSync("git", ["log", "--reverse", "--format=%H"], {
        cwd: project.root,
        encoding: "utf8",
      })
        .split("\n")
        .slice(1);
      const rows = project
        .progress()
        .split(/^## .*\n/m)
        .find((section) => section.includes("| task |"))
        ?.trim()
        .split("\n")
        .slice(2);
      expect(rows).toEqual(
        project.ids.map((id, index) =>
          expect.stringMatching(
            new RegExp(
              `^\\| ${id} \\| proven \\| ${id === liar ? 2 : 1} \\| \`test -f ${outputOf(id)}\` \\| failed \\| passed \\| ${commits[index]?.slice(0, 9)} \\| \\d+ s \\| \\d+ tokens, .* s \\|$`,
            ),
          ),
        ),
      );
    },
  );

  test("an executor that never manages is sent back twice, and attempts run out", async () => {
    const project = stageProject(layout, 2, checkedTasks());
    const id = project.ids[0] as string;
    const { script, started } = team(project, { executor: () => IDLE });
    // Two attempts, and the end; an executor claims three times.
    const model = await stageModel(script, { main: 3, sub: 6 });
    const run = await perform(project, model, project.slash("implement --max-task-iterations 2"));
    expect(started).toEqual([`${id} spec-executor`, `${id} spec-executor`]);
    expect(hookAnswers(run.events, "SubagentStop").map(({ decision }) => decision)).toEqual([
      "block",
      "block",
      undefined,
      "block",
      "block",
      undefined,
    ]);
    expect(countsOf(project, "failed")).toEqual({ [id]: 2 });
    expect(hookAnswers(run.events, "Stop").at(-1)?.decision).toBeUndefined();
    const told = linesIn(run.events).filter((line) =>
      line.includes(`${id} failed in all 2 attempts`),
    );
    expect(told).toEqual([
      expect.stringContaining(`its Verify \`test -f ${outputOf(id)}\` failed`),
    ]);
    expect(project.state()).toBeDefined();
    expect(project.open()).toEqual(project.ids);
    expect(project.progress().startsWith(keptProgress)).toBe(true);
  });

  test("a parallel group, in any order, and a wall after it", async () => {
    const project = stageProject(layout, 4, checkedTasks(["[P]", "[P]", "[P]", "[VERIFY]"]));
    const [slow, liar, quitter, wall] = project.ids as [string, string, string, string];
    const { script, started } = team(project, {
      async executor({ id, attempt, turn, worked }) {
        if (id === wall) return worked ? "All there.\n\nVERIFICATION_PASS" : work(id);
        if (id === quitter && attempt === 1) return "The network is down.";
        if (!worked && !(id === liar && turn === 1)) return work(id);
        // The first of the list is the last to report.
        if (id === slow) while (project.open().includes(liar)) await sleep(50);
        return "Wrote it.\n\nTASK_COMPLETE";
      },
    });
    // The group, the quitter again, the wall, the end. The liar speaks once more than the others.
    const model = await stageModel(script, { main: 4, sub: 2 + 3 + 3 + 2 });
    const run = await perform(project, model, project.slash("implement"));
    expectFinished(project);
    expect(started).toEqual([
      `${slow} spec-executor`,
      `${liar} spec-executor`,
      `${quitter} spec-executor`,
      `${quitter} spec-executor`,
      `${wall} qa-engineer`,
    ]);
    const sentBack = hookAnswers(run.events, "SubagentStop").flatMap(({ reason }) => reason ?? []);
    expect(sentBack).toEqual([expect.stringContaining(`${liar} is not done`)]);
    expect(countsOf(project, "refused")).toEqual({ [liar]: 1 });
    expect(countsOf(project, "failed")).toEqual({ [quitter]: 1 });
    expect(countsOf(project, "done")).toEqual(once(project.ids));
    const order = project.journal().flatMap(({ event, task }) => (event === "done" ? [task] : []));
    expect(order).toEqual([liar, slow, quitter, wall]);
  });

  test("recovery: a failing task gets a fix, which is done, and then succeeds", async () => {
    const project = stageProject(layout, 2, checkedTasks());
    const [first, second] = project.ids as [string, string];
    const { script, started } = team(project, {
      executor({ id, attempt, worked }) {
        if (id === first)
          return attempt === 1 ? "The compiler crashes." : "There it is.\n\nTASK_COMPLETE";
        if (worked) return "Fixed.\n\nTASK_COMPLETE";
        return work(id === second ? second : first);
      },
    });
    // Four agents, and the end.
    const model = await stageModel(script, { main: 5, sub: 1 + 2 + 1 + 2 });
    await perform(project, model, project.slash("implement --recovery-mode"));
    expectFinished(project);
    const fix = layout.id === "specum" ? `${first}.1` : `${first}a`;
    expect(started).toEqual([first, fix, first, second].map((id) => `${id} spec-executor`));
    expect(project.read(project.tasksFile)).toMatch(
      new RegExp(`^- \\[x\\] ${fix} \\[FIX ${first}\\]`, "m"),
    );
    expect(countsOf(project, "refused")).toEqual({});
    expect(project.progress()).toContain("after failure 1 of 5: The compiler crashes.");
    expect(project.progress()).toMatch(
      new RegExp(`^\\| ${first} \\| checked: it has no commit of its own \\| 2 \\|`, "m"),
    );
    expect(project.progress()).toMatch(new RegExp(`^\\| ${fix} \\| proven \\| 1 \\|`, "m"));
  });
});
