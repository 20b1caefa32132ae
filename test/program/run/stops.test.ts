import { spawn, spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { totalSpent } from "../../../src/runner/meter.ts";
import { reduceAll } from "../../../src/runner/view/reduce.ts";
import { endOf } from "../child.ts";
import { fillFolder } from "../temporary.ts";
import { hasTerminal, inTerminal } from "../terminal.ts";
import { makeNight, type Night, photograph, settled } from "./night.ts";
import { fileOf, honest, scene } from "./scenes.ts";

const HANG = [{ write: fileOf("1.2"), text: "half" }, { leave: "300" }, { hang: true }] as const;

/** The first task is done; the second one's first agent never ends. */
function makeHanging(): Night {
  const night = makeNight({ rows: [{ id: "1.1" }, { id: "1.2" }] });
  const count = night.counter("hang");
  night.scenes([scene("1.2", [{ first: 1, count, steps: HANG }, ...honest("1.2")])]);
  return night;
}

const isHalfDone = (event: { kind: string; text?: string }): boolean =>
  event.kind === "action" && event.text === `writes ${fileOf("1.2")}`;

describe.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("%s", (signal) => {
  it("ends the run with everything that it started; the next one goes on", async () => {
    const night = makeHanging();
    const before = photograph(night);
    const child = night.start();
    const ended = night.wait(child);
    await night.until(isHalfDone as never);
    child.kill(signal);
    const { code, events } = await ended;
    expect(code).toBe(130);
    expect(await settled(night.left)).toEqual([]);
    expect(photograph(night)).toEqual(before);
    expect(events.at(-1)).toMatchObject({
      kind: "run-ended",
      status: "stopped",
      done: 1,
      total: 2,
    });
    expect(night.entries().filter(({ event }) => event === "failed")).toEqual([]);
    const next = await night.run();
    expect(next.code).toBe(0);
    expect(next.events).toContainEqual(
      expect.objectContaining({ kind: "attempt-started", task: "1.2", attempt: 1 }),
    );
    expect(night.work()).toEqual(["feat: task 1.2", "feat: task 1.1", "begin"]);
  });
});

it("stopping a group ends all of its agents, and none of them counts as failed", async () => {
  const ids = ["1.1", "1.2", "1.3"];
  const night = makeNight({ rows: ids.map((id) => ({ id, tags: "[P]" })) });
  const hang = (id: string) => [{ write: fileOf(id), text: "half" }, { hang: true }] as const;
  night.scenes(
    ids.slice(1).map((id) => {
      const steps = hang(id);
      return scene(id, [{ first: 1, count: night.counter(id), steps }, ...honest(id)]);
    }),
  );
  const child = night.start(["--parallel", "3"]);
  const ended = night.wait(child);
  for (const id of ids) await night.until((one) => one.kind === "action" && one.task === id);
  await night.until((one) => one.kind === "done");
  child.kill("SIGINT");
  expect((await ended).code).toBe(130);
  expect(await settled(night.left)).toEqual([]);
  expect(night.entries().filter(({ event }) => event === "failed")).toEqual([]);
  expect(night.git("worktree", "list").split("\n")).toHaveLength(2);
  expect(night.asides(), "both are kept").toHaveLength(2);
  const next = await night.run(["--parallel", "3"]);
  expect(next.code).toBe(0);
  expect([...night.work()].sort()).toEqual(["begin", ...ids.map((id) => `feat: task ${id}`)]);
});

describe("kill -9 of the runner", () => {
  it("takes its agents with it, and unfinished work is set aside", async () => {
    const night = makeHanging();
    const child = night.start();
    const ended = night.wait(child);
    await night.until(isHalfDone as never);
    child.kill("SIGKILL");
    await ended;
    expect(await settled(() => night.left().filter((one) => !one.endsWith(".lock")))).toEqual([]);
    const next = await night.run();
    expect(next.code).toBe(0);
    expect(next.events).toContainEqual(
      expect.objectContaining({ kind: "attempt-started", task: "1.2", attempt: 1 }),
    );
    expect(night.asides()).toHaveLength(1);
    expect(night.git("show", `${night.asides()[0]}:${fileOf("1.2")}`)).toBe("half");
  });
});

it("a second run of the same spec refuses, and names the first", async () => {
  const night = makeHanging();
  const child = night.start();
  const ended = night.wait(child);
  await night.until(isHalfDone as never);
  const [first] = night.events();
  const run = first?.kind === "run-started" ? first.run : "";
  const second = night.start();
  const printed = { out: "", err: "" };
  second.stdout?.on("data", (chunk: Buffer) => (printed.out += chunk));
  second.stderr?.on("data", (chunk: Buffer) => (printed.err += chunk));
  expect(await endOf(second)).toBe(1);
  expect(printed.err + printed.out).toContain(`run ${run} (process ${child.pid}`);
  expect(spawnSync("kill", ["-0", String(child.pid)]).status, "the first one is still alive").toBe(
    0,
  );
  child.kill("SIGINT");
  expect((await ended).code).toBe(130);
  expect(await settled(night.left)).toEqual([]);
});

describe.each(["SIGINT", "SIGKILL"] as const)("%s during a long Verify", (signal) => {
  it("ends it too, and the next run goes on", async () => {
    const night = makeNight({
      rows: [
        { id: "1.1", verify: 'grep -q done t1-1.txt && { test -e "$HOME/go" || sleep 300; }' },
      ],
    });
    const child = night.start();
    const ended = night.wait(child);
    await night.until((one) => one.kind === "verifying");
    await night.untilProcess("sleep 300");
    child.kill(signal);
    const { code } = await ended;
    expect(code).toBe(signal === "SIGINT" ? 130 : null);
    expect(await settled(() => night.left().filter((one) => !one.endsWith(".lock")))).toEqual([]);
    fillFolder(night.home, { go: "" });
    expect((await night.run()).code).toBe(0);
    expect(night.work()).toEqual(["feat: task 1.1", "begin"]);
  });
});

it("what a run used before it was killed still counts when it goes on", async () => {
  const night = makeNight({ rows: [{ id: "1.1" }, { id: "1.2" }] });
  const count = night.counter("hang");
  const uses = { usage: { input: 8000, output: 0 } };
  night.scenes([
    scene("1.1", [uses, ...honest("1.1")]),
    scene("1.2", [{ first: 1, count, steps: HANG }, uses, { hang: true }]),
  ]);
  const child = night.start(["--max-tokens", "10k"]);
  const ended = night.wait(child);
  await night.until(isHalfDone as never);
  child.kill("SIGKILL");
  await ended;
  const { code, events } = await night.run(["--max-tokens", "10k"]);
  expect(code).toBe(6);
  // The first event says so: views show as much left as there is.
  expect(events[0]).toMatchObject({
    kind: "run-started",
    before: { starts: [{ task: "1.1", spent: { tokens: 8000 } }, { task: "1.2" }] },
  });
  expect(totalSpent(reduceAll(events.slice(0, 1)).meter).tokens).toBe(8000);
  expect(JSON.parse(night.cli("watch", "--json").out)).toMatchObject({
    left: { tokens: 0 },
    tokens: 8000,
  });
});

it.runIf(hasTerminal)(
  "a closed terminal stops a run with a live view, as Ctrl-C does",
  async () => {
    const night = makeNight({ rows: [{ id: "1.1" }] });
    night.scenes([scene("1.1", HANG)]);
    const shell = spawn("script", inTerminal(80, ["run", "demo", "--agent", "demo"]), {
      cwd: night.root,
      env: { ...night.env, TERM: "xterm", SHELL: "/bin/sh" },
      stdio: ["pipe", "ignore", "ignore"],
    });
    onTestFinished(() => void shell.kill("SIGKILL"));
    await night.until(({ kind }) => kind === "attempt-started");
    shell.kill("SIGKILL");
    expect(await night.until(({ kind }) => kind === "run-ended")).toMatchObject({
      status: "stopped",
    });
    expect(await settled(night.left)).toEqual([]);
  },
);

it("a run that has lost its spec ends its agents, says so, and leaves the tree as it is", async () => {
  const night = makeHanging();
  const child = night.start();
  const ended = night.wait(child);
  await night.until(isHalfDone as never);
  const leases = join(night.home, ".local/state/smart-ralph/leases");
  for (const name of readdirSync(leases)) rmSync(join(leases, name));
  const { code, events } = await ended;
  expect(code).toBe(1);
  expect(events.at(-1)).toMatchObject({
    status: "stuck",
    text: expect.stringMatching(/^demo no longer belongs to this run/),
  });
  expect(night.git("-C", night.tree(), "status", "--porcelain")).toContain(fileOf("1.2"));
  expect(night.asides()).toEqual([]);
  expect(await settled(night.left)).toEqual([]);
  expect((await night.run()).code).toBe(0);
});

it("a report is not judged by a run that has lost its spec", async () => {
  const night = makeNight({ rows: [{ id: "1.1" }] });
  const leases = join(night.home, ".local/state/smart-ralph/leases");
  night.scenes([scene("1.1", [{ run: `rm ${leases}/*` }, ...honest("1.1")])]);
  const { code, events } = await night.run();
  expect(code).toBe(1);
  expect(events.at(-1)).toMatchObject({
    status: "stuck",
    text: expect.stringMatching(/^demo no longer belongs to this run/),
  });
  expect(events.filter(({ kind }) => kind === "attempt-started")).toHaveLength(1);
});
