import { costOf } from "../test/e2e/calls.ts";
import { startClient } from "../test/e2e/client.ts";
import { CURRENT } from "../test/e2e/install.ts";
import { startModel } from "../test/e2e/model.ts";
import { pluginDir } from "../test/e2e/place.ts";
import { layouts, makeProject } from "../test/e2e/project.ts";
import { checkedTasks, countsOf, team, work } from "../test/e2e/team.ts";
import { progress, type Section, tableOf } from "./report.ts";

const TITLE = "Model calls";
const TASKS = 12;

interface Row {
  readonly what: string;
  readonly value: number;
  readonly limit: number;
}

/** What a run costs in calls of the model and in tokens; unlike times, the same on every machine. */
export async function benchCalls(): Promise<Section> {
  progress("model calls", 0, 1);
  const rows = await runTasks();
  progress("model calls", 1, 1);
  return {
    title: TITLE,
    text: `Claude Code ${CURRENT}, a scripted model, ${TASKS} tasks one after the other, each proven by its Verify. A token is four characters.

${tableOf(
  ["what", "here", "limit"],
  rows.map(({ what, value, limit }) => [what, `${value}`, `${limit}`]),
)}
`,
    over: rows.flatMap(({ what, value, limit }) =>
      value > limit ? [`${what}: ${value}, the limit is ${limit}`] : [],
    ),
  };
}

async function runTasks(): Promise<Row[]> {
  const project = makeProject(layouts[0], TASKS, checkedTasks());
  const { script } = team(project, {
    executor: ({ id, worked }) => (worked ? `Wrote part ${id}.\n\nTASK_COMPLETE` : work(id)),
  });
  const model = await startModel(script, { main: 10 * TASKS, sub: 10 * TASKS });
  try {
    const client = await startClient({
      model,
      cwd: project.root,
      home: project.home,
      prompt: project.slash("implement"),
      pluginDirs: [pluginDir(project.layout)],
      timeoutMs: 300_000,
    });
    const { code } = await client.done;
    const left = project.open();
    if (code !== 0 || left.length > 0 || model.faults.length > 0)
      throw new Error(`${left.length} tasks were left; ${model.faults.join("; ")}`);
    const { main, growth, bases } = costOf(model);
    const handOuts = Object.values(countsOf(project, "delegated"));
    return [
      { what: `calls of the main agent for ${TASKS} tasks`, value: main, limit: 15 },
      { what: "tokens of the main agent for a task", value: mean(growth), limit: 600 },
      { what: "tokens that each call of an executor begins with", value: most(bases), limit: 3500 },
      { what: "hand-outs of a task", value: most(handOuts), limit: 1 },
    ];
  } finally {
    await model.close();
    await project.remove();
  }
}

const most = (values: readonly number[]): number => Math.max(...values);

const mean = (values: readonly number[]): number =>
  Math.ceil(values.reduce((sum, value) => sum + value, 0) / values.length);

export const callsNotRun = (why: string): Section => ({
  title: TITLE,
  text: `Not run: ${why}.`,
  over: [],
});
