import { inputTokens } from "../test/e2e/calls.ts";
import { startClient } from "../test/e2e/client.ts";
import { startModel } from "../test/e2e/model.ts";
import { pluginDir } from "../test/e2e/place.ts";
import { layouts, makeProject } from "../test/e2e/project.ts";
import { workLine } from "../test/e2e/run/tasks.ts";
import { team } from "../test/e2e/team.ts";
import { bash } from "../test/e2e/wire.ts";

export const TASKS = 12;

/** The input tokens of a run by the stop hook: the main agent's and its sub-agents'. */
export async function byHook(tasks: (ids: readonly string[]) => string): Promise<number> {
  const project = makeProject(layouts[0], TASKS, (ids) => tasks(ids));
  const { script } = team(project, {
    executor: ({ id, worked }) =>
      worked ? "Written.\nTASK_COMPLETE" : { say: "I write it.", call: [bash(workLine(id))] },
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
    return inputTokens(model);
  } finally {
    await model.close();
    await project.remove();
  }
}
