import { type ClientResult, startClient } from "../test/e2e/client.ts";
import { CURRENT } from "../test/e2e/install.ts";
import { type Script, startModel } from "../test/e2e/model.ts";
import { pluginDir } from "../test/e2e/place.ts";
import { byProgram, tickLine, worker } from "../test/e2e/players.ts";
import { layouts, makeProject, type Project } from "../test/e2e/project.ts";
import { bash } from "../test/e2e/wire.ts";
import { progress, type Section, tableOf } from "./report.ts";

const TASKS = 12;

/** Who opens the turns: the hook, or a user who asks for one task after the other and has no plugin. */
type Driver = "hook" | "user";

interface Run {
  /** Milliseconds from one turn's opening to the next one's, each turn being one task and two calls of the model. */
  readonly perTask: readonly number[];
  /** Characters that opened a turn, the first one aside. */
  readonly characters: readonly number[];
}

/** What the hook adds to a task's time in the real client, with a model that answers at once. */
export async function benchClient(rounds: number): Promise<Section> {
  const runs: Record<Driver, Run[]> = { hook: [], user: [] };
  for (let round = 0; round < rounds; round++) {
    progress("tasks in the client", round, rounds);
    // Each goes first in every other round.
    for (const driver of round % 2 === 0
      ? (["hook", "user"] as const)
      : (["user", "hook"] as const))
      runs[driver].push(await runTasks(driver));
  }
  progress("tasks in the client", rounds, rounds);
  const perTask = (driver: Driver): number => median(runs[driver].flatMap((run) => run.perTask));
  const [hook, user] = [perTask("hook"), perTask("user")];
  const characters = median(runs.hook.flatMap((run) => run.characters));
  return {
    title: "A task in the real client",
    text: `Claude Code ${CURRENT}, a scripted model that answers at once, ${TASKS} tasks of one shell command each; medians of ${rounds} sessions a row.

${tableOf(
  ["turns are opened by", "ms a task, here", "× the user's"],
  [
    ["the user, over stream-json, without the plugin", user.toFixed(0), "1.00"],
    ["the hook", hook.toFixed(0), (hook / user).toFixed(2)],
  ],
)}

The hook and the done command add ${(hook - user).toFixed(0)} ms to a task. What the client sends to the model to open a turn is ${characters.toFixed(0)} characters long, about ${Math.ceil(characters / 4)} tokens.
`,
    over: [],
  };
}

async function runTasks(driver: Driver): Promise<Run> {
  const project = makeProject(layouts[0], TASKS);
  const openings: number[] = [];
  const characters: number[] = [];
  const script = driver === "hook" ? worker(project, byProgram) : asked(project);
  const model = await startModel(
    (ask) => {
      if (ask.result === undefined) {
        openings.push(performance.now());
        characters.push(ask.text.length);
      }
      return script(ask);
    },
    { main: 2 * TASKS },
  );
  const { root: cwd, home } = project;
  const timeoutMs = 300_000;
  try {
    if (driver === "hook") {
      const prompt = project.slash("implement");
      const pluginDirs = [pluginDir(project.layout)];
      const client = await startClient({ model, cwd, home, prompt, pluginDirs, timeoutMs });
      expectEnd(await client.done);
    } else {
      const client = await startClient({ model, cwd, home, timeoutMs });
      for (let i = 0; i < TASKS; i++) await client.say("Do the next task.");
      expectEnd(await client.end());
    }
    const left = project.open();
    if (left.length > 0 || model.faults.length > 0)
      throw new Error(`${left.length} tasks were left; ${model.faults.join("; ")}`);
    return {
      perTask: openings.slice(1).map((at, i) => at - (openings[i] as number)),
      characters: characters.slice(1),
    };
  } finally {
    await model.close();
    await project.remove();
  }
}

function expectEnd({ timedOut, code }: ClientResult): void {
  if (timedOut || code !== 0) throw new Error(`the client ended with ${code ?? "a timeout"}`);
}

/** The same work, one task for each prompt. */
const asked =
  (project: Project): Script =>
  (ask) =>
    ask.result === undefined
      ? { call: [bash(tickLine(project, project.open()[0] ?? ""))] }
      : "TASK_COMPLETE";

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

export const notRun = (why: unknown): Section => ({
  title: "A task in the real client",
  text: `Not run: ${why instanceof Error ? why.message : String(why)}.`,
  over: [],
});
