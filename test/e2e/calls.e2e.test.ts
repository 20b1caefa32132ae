import { describe, expect, test } from "vitest";
import { fewOf, isFull } from "../support/full.ts";
import { costOf } from "./calls.ts";
import { crew, DONE } from "./crew.ts";
import { hookAnswers, linesIn } from "./hooks.ts";
import { oneLayout, specFiles } from "./place.ts";
import type { Project } from "./project.ts";
import {
  expectFinished,
  perform,
  stageClient,
  stageModel,
  stagePlace,
  stageProject,
} from "./stage.ts";
import { checkedTasks, countsOf, IDLE, once, outputOf, sentBackIn, team, work } from "./team.ts";
import { bash } from "./wire.ts";

const REPORT = "Wrote it.\n\nTASK_COMPLETE";

const MANY = isFull ? 12 : 8;

/** A group after the first task, then a check that names only commands. */
const WALL = 4;
const TAGS = ["", "[P]", "[P]", "[P]", "[VERIFY]"];
const mixedTasks = (ids: readonly string[]): string =>
  checkedTasks(TAGS)(ids)
    .replace(`write part ${ids[WALL]}`, "run all checks")
    .replace(`test -f ${outputOf(ids[WALL] as string)}`, `test -f ${outputOf(ids[1] as string)}`);

/** The tasks that agents were started on, by the loop's own record. */
const delegated = (project: Project): unknown[] =>
  project.journal().flatMap(({ event, task }) => (event === "delegated" ? [task] : []));

interface Halt {
  readonly what: string;
  readonly by?: (project: Project) => void;
  readonly command?: string;
  readonly line: RegExp;
  readonly state: object;
}

describe.each(oneLayout)("$id: one call of the main agent for each task", (layout) => {
  test(`${MANY} tasks with a group, a check, a lie and a failure`, async () => {
    const project = stageProject(layout, MANY, mixedTasks);
    const wall = project.ids[WALL] as string;
    const liar = project.ids[5] as string;
    const quitter = project.ids[6] as string;
    const { script } = team(project, {
      executor({ id, attempt, turn, worked }) {
        if (id === quitter && attempt === 1) return "The network is down.";
        if (worked) return REPORT;
        return id === liar && turn === 1 ? IDLE : work(id);
      },
    });
    const agents = project.ids.filter((id) => id !== wall);
    // The group is one call, the check none, the failure one more; and the end. Each agent works and reports, the liar
    // speaks three times, and who gives up once.
    const calls = { main: MANY - 1 - 2 + 1 + 1, sub: 2 * (MANY - 1) + 1 + 1 };
    const model = await stageModel(script, calls);
    const run = await perform(project, model, project.slash("implement"));
    expectFinished(project);
    expect(model.calls).toMatchObject(calls);
    expect(sentBackIn(run.events)).toEqual([expect.stringContaining(`${liar} is not done`)]);

    expect(countsOf(project, "delegated")).toEqual({ ...once(agents), [quitter]: 2 });
    expect(countsOf(project, "returned")).toEqual(countsOf(project, "delegated"));
    expect(countsOf(project, "done")).toEqual(once(project.ids));

    const { main, growth, bases } = costOf(model);
    expect(main).toBeLessThanOrEqual(15);
    expect(sum(growth) / project.ids.length).toBeLessThanOrEqual(600);
    expect(bases).toHaveLength(MANY);
    expect(Math.max(...bases)).toBeLessThanOrEqual(3500);
  });

  test("an agent that should run in the background runs in the foreground", async () => {
    const project = stageProject(layout, 3, checkedTasks());
    const { script } = team(project, {
      executor: ({ id, worked }) => (worked ? REPORT : work(id)),
      instead({ news }) {
        const [, id, type] = /^Task (\S+) → ([\w-]+:[\w-]+): /m.exec(news) ?? [];
        if (id === undefined) return undefined;
        const input = { description: "a task", prompt: id, subagent_type: type };
        return { call: [{ name: "Agent", input: { ...input, run_in_background: true } }] };
      },
    });
    const model = await stageModel(script, { main: 4, sub: 6 });
    await perform(project, model, project.slash("implement"));
    expectFinished(project);
    expect(delegated(project)).toEqual(project.ids);
  });

  test("a document for each call in quick mode", async () => {
    const place = stagePlace(layout);
    const { script } = crew(place, { tasks: 2 });
    const writers = layout.documents.length;
    // The documents, the tasks, the review, and the end.
    const calls = writers + 2 + 1 + 1;
    const model = await stageModel(script, { main: calls, sub: 2 * (writers + 2) + 1 });
    const client = await stageClient(place, model, {});
    await client.say(place.slash('start "Add a greeting to the program" --quick'), DONE);
    await client.end();
    const spec = specFiles(place, `${layout.specs}/add-greeting-program`);
    expect(spec.open()).toEqual([]);
    expect(spec.state()).toBeUndefined();
    const { main, growth } = costOf(model);
    expect(main).toBe(calls);
    expect(Math.max(...growth)).toBeLessThanOrEqual(1000);
  });

  const halts: readonly Halt[] = [
    {
      what: "a pause",
      by: (project: Project) => void project.terminal("pause"),
      line: /paused at Task 3\/4/,
      state: { paused: true },
    },
    {
      what: "a question for the user",
      command: `${layout.plugin} await-approval --reason "Which colour?"`,
      line: /waiting for your approval at Task 3\/4 \(Which colour\?\)/,
      state: { awaitingApproval: true },
    },
  ];
  test.each(fewOf(halts))(
    "$what while an agent works: nothing more is handed out",
    async (halt) => {
      const project = stageProject(layout, 4, checkedTasks());
      const [first, second] = project.ids as [string, string];
      const { script } = team(project, {
        executor({ id, worked }) {
          if (worked) return REPORT;
          if (id !== second) return work(id);
          halt.by?.(project);
          const { call = [] } = work(id) as { call?: [] };
          return { call: [...call, ...(halt.command === undefined ? [] : [bash(halt.command)])] };
        },
      });
      const model = await stageModel(script, { main: 3, sub: 4 });
      const run = await perform(project, model, project.slash("implement"));
      expect(delegated(project)).toEqual([first, second]);
      expect(project.open()).toEqual(project.ids.slice(2));
      expect(project.state()).toMatchObject(halt.state);
      expect(linesIn(run.events).filter((line) => halt.line.test(line))).toHaveLength(1);

      const rest = await stageModel(script, { main: 3, sub: 4 });
      await perform(project, rest, project.slash("resume"));
      expectFinished(project);
      expect(countsOf(project, "delegated")).toEqual(once(project.ids));
    },
  );

  test("the iteration limit is reached while an agent works", async () => {
    const project = stageProject(layout, 6, checkedTasks());
    const { script } = team(project, {
      executor: ({ id, worked }) => (worked ? REPORT : work(id)),
    });
    const model = await stageModel(script, { main: 4, sub: 6 });
    const run = await perform(project, model, project.slash("implement --max-global-iterations 3"));
    expect(delegated(project)).toEqual(project.ids.slice(0, 3));
    expect(project.open()).toEqual(project.ids.slice(3));
    const told = linesIn(run.events).filter((line) => line.includes("max iterations ("));
    expect(told).toHaveLength(1);
    expect(told[0]).toContain("3 of 6 tasks are open");
    const limits = project.journal().filter(({ event }) => event === "limit");
    expect(limits).toHaveLength(1);
    expect(hookAnswers(run.events, "Stop").map(({ stdout }) => stdout)).toEqual([""]);
  });
});

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
