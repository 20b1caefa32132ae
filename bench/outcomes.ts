import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { AT_END } from "../src/run/hand-out.ts";
import { sumBoxes } from "../src/run/loop.ts";
import { parseTasks } from "../src/tasks/parse.ts";
import { specum } from "../test/support/editions.ts";
import { type Case, measure } from "./measure.ts";
import { costOf, overAim, type Section, showAim, showRatio, tableOf } from "./report.ts";
import { hookCommand, hookEnv, makeScene, type Scene, stopUntil, taskList } from "./scene.ts";

const TASKS = 60;
/** As multiples of bare node: what a stop may cost, and what it may cost where node is not started. */
const AIM = 1.15;
const AIM_WITHOUT_NODE = 0.2;
/** It loads what other stops do not need: templates, checks, and git for the commit. */
const AIM_WITH_DOCUMENTS = 2.5;

interface Outcome {
  readonly name: string;
  readonly aim?: number;
  readonly says: RegExp;
  readonly arrange?: (scene: Scene) => void;
  readonly event?: object;
}

const BLOCK = /"decision":"block"/;
const SILENCE = /^$/;

/** The rows of a stop, in order; each changes a run that would continue so that the row applies. */
const outcomes: readonly Outcome[] = [
  {
    name: "no state (no node)",
    aim: AIM_WITHOUT_NODE,
    says: SILENCE,
    arrange: ({ endRun }) => endRun(),
  },
  {
    name: "state gone, the run is missed",
    aim: AIM,
    says: /^\{"systemMessage":.*stopped before it was finished/,
    arrange: ({ path }) => rmSync(path(specum.stateFile)),
  },
  {
    name: "disabled",
    aim: AIM,
    says: SILENCE,
    arrange: ({ root, endRun }) => {
      endRun();
      mkdirSync(join(root, ".claude"));
      writeFileSync(join(root, specum.settingsFile), "---\nenabled: false\n---\n");
    },
  },
  { name: "another session", aim: AIM, says: SILENCE, event: { session_id: "other" } },
  {
    name: "agents running",
    aim: AIM,
    says: SILENCE,
    event: { background_tasks: [{ id: "a", type: "subagent", status: "running" }] },
  },
  {
    name: "corrupt (waits 100 ms for a writer)",
    says: BLOCK,
    arrange: ({ write }) => write(specum.stateFile, "{ torn"),
  },
  {
    name: "not executing",
    aim: AIM,
    says: SILENCE,
    arrange: ({ setState }) => setState({ phase: "design" }),
  },
  {
    name: "quick mode, next phase",
    aim: AIM_WITH_DOCUMENTS,
    says: BLOCK,
    arrange: ({ setState }) => setState({ phase: "design", quickMode: true }),
  },
  {
    name: "finished",
    aim: AIM,
    says: /^\{"systemMessage":.*receipt/,
    // As `done` and the check at the end leave it.
    arrange({ write, setLoop }) {
      const text = taskList(TASKS, "x");
      write("tasks.md", text);
      setLoop({ boxes: sumBoxes(parseTasks(text).tasks), ready: AT_END });
    },
  },
  {
    name: "sent back",
    aim: AIM,
    says: BLOCK,
    event: { last_assistant_message: "All done.\n\nALL_TASKS_COMPLETE" },
  },
  {
    name: "awaiting approval",
    aim: AIM,
    says: /^\{"systemMessage":/,
    arrange: ({ setState }) => setState({ awaitingApproval: true }),
  },
  {
    name: "limit",
    aim: AIM,
    says: BLOCK,
    arrange: ({ setLoop }) => setLoop({ iteration: 100, maxIterations: 100 }),
  },
  {
    name: "stalled",
    aim: AIM,
    says: /^\{"systemMessage":.*no progress/,
    arrange: (scene) => stopUntil(scene, /no progress/),
  },
  { name: "continue", aim: AIM, says: BLOCK },
  {
    name: "another hook drives",
    aim: AIM,
    says: SILENCE,
    event: { stop_hook_active: true },
  },
];

/** Every outcome of a stop against a bare start of node, and against the same decision in bash and jq. */
export function benchOutcomes(rounds: number, home: string, withBash: boolean): Section {
  const stops = outcomes.map(({ name, says, arrange, event }, i) => {
    const scene = makeScene(home, `outcome-${i}`, taskList(TASKS));
    arrange?.(scene);
    scene.keep();
    return { scene, hook: scene.stop(name, says, event) };
  });
  const empty = emptyFolder(home);
  const hasJq = withBash && spawnSync("jq", ["--version"]).status === 0;
  const inBash = hasJq ? [empty, ...stops.map(({ hook }) => hook)].map(inBashToo) : [];
  const measured = measure(
    "hook latency",
    [empty, ...stops.map(({ hook }) => hook), ...inBash],
    rounds,
    home,
  );

  const costs = [{ name: empty.name, aim: AIM_WITHOUT_NODE }, ...outcomes].map(({ name, aim }) =>
    costOf(measured, name, aim),
  );
  const table = tableOf(
    ["stop", "× bare node", "aim", "processor time, ×", "ms here", "bash + jq, ×"],
    [
      ["`node -e 0`", "1.00", "", "1.00", measured.wall("node -e 0").toFixed(1), ""],
      ...costs.map((cost) => [
        cost.name,
        showRatio(cost.wall),
        showAim(cost),
        showRatio(cost.cpu),
        measured.wall(cost.name).toFixed(1),
        hasJq ? showRatio(measured.wallRatio(bashName(cost.name))) : "",
      ]),
    ],
  );
  return {
    title: "Hook latency",
    text: `The whole command line that the client hands to \`sh -c\`, against \`node -e 0\` started without a shell. ${TASKS} tasks, a git repository, compiled code kept; ${rounds} interleaved rounds. An aim is missed if wall and processor time are both above it.

${table}
${hasJq ? "" : "\nThe bash version was not run.\n"}`,
    over: costs.flatMap((cost) => overAim(`stop, ${cost.name}`, cost)),
  };
}

function emptyFolder(home: string): Case {
  const cwd = join(home, "empty");
  mkdirSync(cwd);
  return {
    name: "no pointer (no node)",
    file: "/bin/sh",
    args: ["-c", hookCommand],
    cwd,
    input: JSON.stringify({ cwd, hook_event_name: "Stop" }),
    env: hookEnv(home, cwd),
    says: SILENCE,
  };
}

const bashName = (name: string): string => `bash: ${name}`;

/** It takes five times as long, so a few rounds are enough. */
function inBashToo(hook: Case): Case {
  // What it says is its own.
  const { says: _, ...one } = hook;
  return {
    ...one,
    name: bashName(one.name),
    args: ["-c", `'${resolve("bench/stop-watcher.sh")}'`],
    every: 5,
  };
}
