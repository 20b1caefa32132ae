import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import type { DemoStep } from "../../../src/agents/demo/script.ts";
import { isFull } from "../../support/full.ts";
import { processesIn } from "../../support/processes.ts";
import { makeNight, type Night, photograph, settled } from "./night.ts";
import { COMPLETE, fileOf, type Row, scene } from "./scenes.ts";

const KILLS = isFull ? 50 : 8;
/** How long agents pause: the run has to last until the last kill. */
const SLOW = isFull ? 1000 : 200;
/** Random in a full run; fixed otherwise, so that a contributor does not run into our bugs by chance. */
const SEED = Number(process.env["SEED"] ?? (isFull ? Date.now() % 1_000_000 : 3));

/** The same numbers for the same seed. */
function openDice(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** Forty tasks in four phases: four tasks one after the other, then a group of six. */
const ids = [1, 2, 3, 4].flatMap((phase) =>
  Array.from({ length: 10 }, (_, i) => `${phase}.${i + 1}`),
);
const isGrouped = (id: string): boolean => Number(id.split(".")[1]) > 4;
const rows: Row[] = ids.map((id) => ({
  id,
  tags: isGrouped(id) ? "[P]" : "",
  files: `${fileOf(id)}, shared-${id.split(".")[0]}.txt`,
}));

const commitBySelf = (id: string): string =>
  `git add ${fileOf(id)} && git -c user.name=a -c user.email=a@b commit -qm "feat: task ${id}"`;

/** Each agent works slowly, in several steps; about every third commits by itself. */
function stepsOf(id: string, dice: (below: number) => number): DemoStep[] {
  return [
    { sleep: dice(SLOW) },
    { write: fileOf(id), text: "half" },
    { sleep: dice(SLOW) },
    { write: fileOf(id), text: "done\n" },
    ...(dice(3) === 0 ? [{ run: commitBySelf(id) }] : []),
    { sleep: dice(60) },
    COMPLETE,
  ];
}

const commandOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
};

function guardPids(run: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => /guard\.cjs/.test(commandOf(pid)) && commandOf(pid).includes(run));
}

function kill(pid: number | undefined): boolean {
  try {
    return pid !== undefined && process.kill(pid, "SIGKILL");
  } catch {
    return false;
  }
}

const runOf = (night: Night): string => {
  const [first] = night.events();
  return first?.kind === "run-started" ? first.run : "none";
};

interface Lease {
  readonly worker: object | null;
}

const isLinux = existsSync("/proc/self/environ");

it.runIf(isLinux)(
  `loses nothing and does nothing twice, however often it is killed (SEED=${SEED})`,
  async () => {
    const dice = openDice(SEED);
    const night = makeNight({ rows, scenes: ids.map((id) => scene(id, stepsOf(id, dice))) });
    const before = photograph(night);
    const log: string[] = [];
    try {
      let child = night.start(["--parallel", "3"]);
      let ended = night.wait(child);
      for (let hits = 0, tries = 0; hits < KILLS && tries < 4 * KILLS; tries++) {
        await delay(100 + dice(1200));
        if (child.exitCode !== null) break;
        const victim = ["runner", "runner", "agent", "guard"][dice(4)] as string;
        const agents = processesIn(night.home).filter(({ command }) =>
          command.includes("demo-agent"),
        );
        const pids =
          victim === "runner"
            ? [child.pid]
            : victim === "guard"
              ? guardPids(runOf(night))
              : agents.map(({ pid }) => pid).slice(0, 1);
        // Between two tasks there is no agent to kill.
        if (pids.filter(kill).length === 0) continue;
        hits++;
        log.push(victim);
        if (victim !== "runner") continue;
        await ended;
        child = night.start(["--parallel", "3"]);
        ended = night.wait(child);
      }
      let last = await ended;
      // If too many agents of one task were killed, the user starts the run again.
      for (let more = 0; more < 3 && last.code !== 0; more++) {
        log.push(`ended with ${last.code}: ${last.out.slice(-400)} ${last.err}`);
        last = await night.wait(night.start(["--parallel", "3"]));
      }
      expect(last.code, `SEED=${SEED}\n${log.join("\n")}`).toBe(0);
    } finally {
      if (night.left().length > 0) console.error(`SEED=${SEED} left`, await settled(night.left));
    }
    if (isFull) console.log(`SEED=${SEED}: ${log.join(", ")}`);
    expectWhole(night, log);
    expect(log.length).toBeGreaterThanOrEqual(KILLS);
    expect(await settled(night.left)).toEqual([]);
    expect(photograph(night)).toEqual(before);
  },
  isFull ? 600_000 : 180_000,
);

function expectWhole(night: Night, log: readonly string[]): void {
  const subjects = night.subjects();
  const counts = Object.fromEntries(
    ids.map((id) => [id, subjects.filter((one) => one === `feat: task ${id}`).length]),
  );
  const context = `SEED=${SEED}\n${log.join("\n")}\n${subjects.join("\n")}`;
  expect(counts, context).toEqual(Object.fromEntries(ids.map((id) => [id, 1])));
  expect(night.tasks().match(/- \[x\]/g), context).toHaveLength(ids.length);
  const done = night.entries().filter(({ event }) => event === "done");
  expect(done.map(({ task }) => task).sort(), context).toEqual([...ids].sort());
  // Check the branch in a fresh checkout.
  const copy = join(night.home, "copy");
  night.git("worktree", "add", "--quiet", "--detach", copy, "smart-ralph/demo");
  for (const id of ids)
    expect(readFileSync(join(copy, fileOf(id)), "utf8"), context).toBe("done\n");
  night.git("worktree", "remove", "--force", copy);
  const leases = join(night.home, ".local/state/smart-ralph/leases");
  const open = (existsSync(leases) ? readdirSync(leases) : [])
    .map((name) => JSON.parse(readFileSync(join(leases, name), "utf8")) as Lease)
    .filter(({ worker }) => worker !== null);
  expect(open, "the spec's lease was released").toEqual([]);
  const trees = night.git("worktree", "list").split("\n");
  expect(trees, "only the user's and the run's").toHaveLength(2);
  expect(night.git("branch", "--list", "smart-ralph/*").split("\n")).toHaveLength(1);
}
