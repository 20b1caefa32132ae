import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { itEncloses } from "../../support/namespace.ts";
import { makeNight, type Night, PROGRAM, settled } from "./night.ts";
import { COMPLETE, fileOf, honest, scene, until } from "./scenes.ts";

/** No sweep finds such a process: it has neither the run's environment nor its folder, session or parent. */
const escaped = (command: string): string => `(cd /; env -i setsid ${command} >/dev/null 2>&1 &)`;

const commandOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
};

/** Processes that have these words in their command line; what is left is ended after the test. */
function watchFor(words: string): () => string[] {
  const pids = (): string[] =>
    readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && commandOf(pid).includes(words));
  onTestFinished(() => {
    for (const pid of pids()) process.kill(Number(pid), "SIGKILL");
  });
  return () => pids().map(commandOf);
}

const unique = (): string => `9${process.pid}${Math.random().toString().slice(2, 8)}`;

const processesOf = (night: Night): string | undefined =>
  night.events().flatMap((one) => (one.kind === "run-started" ? [one.processes] : []))[0];

itEncloses(
  "nothing that an agent, a Verify or the setup starts is left, whatever it does",
  async () => {
    const [agent, verify, setup] = [unique(), unique(), unique()];
    const found = [agent, verify, setup].map((time) => watchFor(`sleep ${time}`));
    const seen = (time: string): string => `pgrep -f '^sleep ${time}' >/dev/null`;
    const night = makeNight({
      rows: [
        { id: "1.1", verify: `${escaped(`sleep ${verify}`)}; sleep 0.1; grep -q done t1-1.txt` },
      ],
      settings: `run_setup: "${escaped(`sleep ${setup}`)}; sleep 0.1"`,
      scenes: [
        scene("1.1", [{ run: escaped(`sleep ${agent}`) }, until(seen(agent)), ...honest("1.1")]),
      ],
    });
    const { code, events } = await night.run();
    expect(code).toBe(0);
    expect(processesOf(night)).toBe("own PID namespace");
    expect(found.flatMap((look) => look())).toEqual([]);
    // They ended with what had started them: there was nothing to search for.
    expect(events.filter(({ kind }) => kind === "swept")).toEqual([]);
  },
);

itEncloses(
  "what an agent leaves running cannot put files into the last check's checkout",
  async () => {
    const words = unique();
    const look = watchFor(words);
    const night = makeNight({ rows: [{ id: "1.1" }], settings: "default_max_iterations: 1" });
    const trees = `${night.home}/.local/state/smart-ralph/trees`;
    const feed = `: ${words}; while :; do for d in ${trees}/*/smart-ralph-prove.*/*; do test -d $d && echo done > $d/${fileOf("1.1")}; done; sleep 0.01; done`;
    const hide = `echo ${fileOf("1.1")} >> "$(git rev-parse --git-path info/exclude)"`;
    night.scenes([
      scene("1.1", [
        { write: fileOf("1.1"), text: "done\n" },
        { write: "other.txt", text: "something to commit\n" },
        { run: `${hide}; git add other.txt; git commit -qm "feat: task 1.1"` },
        { run: escaped(`sh -c '${feed}'`) },
        COMPLETE,
      ]),
    ]);
    const { code } = await night.run();
    const files = night.git("ls-tree", "--name-only", "smart-ralph/demo").split("\n");
    expect({ isProven: code === 0, isThere: files.includes(fileOf("1.1")) }).toEqual({
      isProven: false,
      isThere: false,
    });
    expect(look()).toEqual([]);
  },
);

itEncloses("nothing survives a runner that is killed with its whole group", async () => {
  const time = unique();
  const look = watchFor(`sleep ${time}`);
  const night = makeNight({
    rows: [{ id: "1.1" }],
    scenes: [scene("1.1", [{ run: escaped(`sleep ${time}`) }, { hang: true }])],
  });
  const args = [PROGRAM, "run", "demo", "--agent", "demo", "--json"];
  const { root: cwd, env } = night;
  const child = spawn(process.execPath, args, { cwd, env, detached: true, stdio: "ignore" });
  const kill = (): boolean => process.kill(-(child.pid as number), "SIGKILL");
  onTestFinished(() => void (child.exitCode ?? child.signalCode ?? kill()));
  while (look().length === 0) await delay(20);
  kill();
  expect(
    await settled(() => [...look(), ...night.left()].filter((one) => !one.endsWith(".lock"))),
  ).toEqual([]);
});

it("where there are no namespaces, or they are off, what carries the run's mark is found and ended", async () => {
  const time = unique();
  const look = watchFor(`sleep ${time}`);
  const night = makeNight({
    rows: [{ id: "1.1" }],
    settings: "run_namespace: off",
  });
  const up = night.counter("up");
  const left = `setsid sh -c 'touch ${up}; exec sleep ${time}' >/dev/null 2>&1 &`;
  night.scenes([scene("1.1", [{ run: left }, until(`test -e ${up}`), ...honest("1.1")])]);
  expect((await night.run()).code).toBe(0);
  expect(processesOf(night)).toMatch(/^found by search \(/);
  expect(look()).toEqual([]);
});
