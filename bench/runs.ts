import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { claude } from "../test/e2e/agents/claude.ts";
import { inputTokens } from "../test/e2e/calls.ts";
import { CURRENT } from "../test/e2e/install.ts";
import { makeNight, type Night } from "../test/e2e/run/night.ts";
import { listOf, worker } from "../test/e2e/run/tasks.ts";
import { runAlone } from "./alone.ts";
import { byHook, TASKS } from "./by-hook.ts";
import { progress, type Section, tableOf } from "./report.ts";

const TITLE = "`smart-ralph run`";
const IDS = Array.from({ length: TASKS }, (_, i) => `1.${i + 1}`);
/** A short run: what it takes for a task does not depend on how many there are. */
const FEW = IDS.slice(0, 5);
const AGENTS = [claude];
const THINKS_MS = 3000;
const AT_ONCE = 4;

/** What has to be reached, whatever the machine. */
const AIMS = { tokens: 0.4, addedMs: 300, faster: 2.5 };
/** On a busy machine a few hundred milliseconds are nothing; only missing the aim by far is a failure. */
const FAR_MS = 3 * AIMS.addedMs;

/** Whole runs in the real client, with a model that answers at once unless it says otherwise. */
export async function benchRuns(rounds: number): Promise<Section> {
  const steps = 2 * rounds + 4;
  let step = 0;
  const next = async <T>(work: Promise<T>): Promise<T> => {
    progress("smart-ralph run", step++, steps);
    return work;
  };
  const hook = await next(byHook(listOf));
  const whole = await next(oneAfterTheOther(IDS));
  const runs = [whole];
  const alone: number[] = [];
  // In turn, so that a busy machine slows both alike.
  for (let round = 0; round < rounds; round++) {
    alone.push(...(await next(startsAlone(FEW))));
    runs.push(await next(oneAfterTheOther(FEW)));
  }
  const slow = await next(thinking("1"));
  const fast = await next(thinking(String(AT_ONCE)));
  progress("smart-ralph run", steps, steps);

  const { tokens } = whole;
  const perTask = lowerQuartile(runs.flatMap((run) => run.perTask));
  const between = lowerQuartile(runs.flatMap((run) => run.between));
  const own = lowerQuartile(alone);
  const added = perTask - own;
  const faster = slow / fast;
  const first = lowerQuartile(runs.map((run) => run.first));
  return {
    title: TITLE,
    text: `Claude Code ${CURRENT}, a scripted model, the same ${TASKS} tasks, each proven by its Verify. Times of a task are the lower quartile of ${rounds + 1} runs and of ${rounds * FEW.length} starts alone, in turn; a token is four characters.

${tableOf(
  ["what", "here", "aim"],
  [
    [`input tokens of all agents, by the stop hook`, thousands(hook), ""],
    [`the same by \`run\``, thousands(tokens), ""],
    ["share of the hook's", share(tokens / hook), `≤ ${share(AIMS.tokens)}`],
    ["ms a task by `run`", perTask.toFixed(0), ""],
    ["ms of the same `claude -p` alone", own.toFixed(0), ""],
    ["ms from the end of an agent to the start of the next", between.toFixed(0), ""],
    ["ms that `run` adds to a task", added.toFixed(0), `≤ ${AIMS.addedMs}`],
    ["ms from the start of `run` to its first agent", first.toFixed(0), ""],
    [`s for ${TASKS} \`[P]\` tasks, a model that thinks ${THINKS_MS / 1000} s`, seconds(slow), ""],
    [`the same with \`--parallel ${AT_ONCE}\``, seconds(fast), ""],
    ["times as fast", faster.toFixed(2), `≥ ${AIMS.faster}`],
  ],
)}
`,
    over: [
      ...(tokens / hook > AIMS.tokens
        ? [`run needs ${share(tokens / hook)} of the hook's tokens`]
        : []),
      ...(added > FAR_MS ? [`run adds ${added.toFixed(0)} ms to a task`] : []),
      ...(faster < AIMS.faster ? [`--parallel is ${faster.toFixed(2)} times as fast`] : []),
    ],
  };
}

interface Timed {
  readonly tokens: number;
  readonly perTask: readonly number[];
  /** What is ours alone: Verify, the box, the journal, checkpoints, the next decision. */
  readonly between: readonly number[];
  readonly first: number;
}

async function oneAfterTheOther(ids: readonly string[]): Promise<Timed> {
  const night = await makeNight({ agents: AGENTS, tasks: listOf(ids), script: worker(AGENTS) });
  try {
    const began = Date.now();
    const events = await runToTheEnd(night);
    const timesOf = (wanted: string): number[] =>
      events.flatMap(({ kind, at }) => (kind === wanted ? [Date.parse(at)] : []));
    const [starts, ends] = [timesOf("attempt-started"), timesOf("attempt-ended")];
    const [first = Number.NaN] = starts;
    // The last task is followed by the end of the run, which is no part of it.
    const perTask = starts.slice(1).map((at, i) => at - (starts[i] ?? Number.NaN));
    const between = starts.slice(1).map((at, i) => at - (ends[i] ?? Number.NaN));
    return { tokens: inputTokens(night.model), perTask, between, first: first - began };
  } finally {
    await night.close();
  }
}

async function startsAlone(ids: readonly string[]): Promise<number[]> {
  const night = await makeNight({ agents: AGENTS, tasks: listOf(IDS), script: worker(AGENTS) });
  try {
    // In a work tree, as the run's agents are.
    const tree = join(night.home, "alone");
    execFileSync("git", ["worktree", "add", "-q", "-b", "alone", tree], { cwd: night.root });
    const times: number[] = [];
    for (const id of ids) times.push(await runAlone(night, tree, id));
    return times;
  } finally {
    await night.close();
  }
}

/** Milliseconds of a run whose model takes its time, from the first agent to the end. */
async function thinking(parallel: string): Promise<number> {
  const honest = worker(AGENTS);
  const night = await makeNight({
    agents: AGENTS,
    tasks: listOf(IDS, "[P] "),
    script: async (ask) => {
      await delay(THINKS_MS);
      return honest(ask);
    },
  });
  try {
    const events = await runToTheEnd(night, "--parallel", parallel);
    const first = events.find(({ kind }) => kind === "attempt-started");
    return Date.parse(events.at(-1)?.at ?? "") - Date.parse(first?.at ?? "");
  } finally {
    await night.close();
  }
}

/** A run that does not get to its end is no measurement. */
async function runToTheEnd(night: Night, ...args: readonly string[]) {
  const { code, events, out } = await night.run(...args);
  if (code !== 0 || night.model.faults.length > 0)
    throw new Error(
      `the run ended with ${code}: ${night.model.faults.join("; ")} ${out.slice(-2000)}`,
    );
  return events;
}

/** The least disturbed ones. */
const lowerQuartile = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 4)] ?? Number.NaN;
const share = (value: number): string => `${(100 * value).toFixed(0)} %`;
const seconds = (ms: number): string => (ms / 1000).toFixed(1);
const thousands = (count: number): string => `${Math.round(count / 1000)}k`;

export const runsNotRun = (why: string): Section => ({
  title: TITLE,
  text: `Not run: ${why}.`,
  over: [],
});
