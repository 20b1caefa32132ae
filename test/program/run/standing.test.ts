import { expect, it } from "vitest";
import { makeNight, type Night } from "./night.ts";
import { honest, scene, until } from "./scenes.ts";

const ROWS = [{ id: "1.1" }, { id: "1.2" }];
const GO_ON = "smart-ralph run demo --agent demo";

/** The second task's agent never ends. */
const endless = (): Night => makeNight({ rows: ROWS, scenes: [scene("1.2", [until("false")])] });

const json = (night: Night, ...args: readonly string[]): Record<string, unknown> =>
  JSON.parse(night.cli(...args, "--json").out) as Record<string, unknown>;

async function endWith(night: Night, signal: NodeJS.Signals, args: readonly string[] = []) {
  const child = night.start(args);
  await night.until((event) => event.kind === "attempt-started" && event.task === "1.2");
  const live = json(night, "status");
  const cancel = night.cli("cancel");
  child.kill(signal);
  await night.wait(child);
  return { live, cancel };
}

it.each([
  ["killed", "SIGKILL", "its run was killed"],
  ["stopped with Ctrl-C", "SIGINT", "you stopped it"],
] as const)(
  "status, list, cancel and resume agree about a run that was %s",
  async (_, signal, why) => {
    const night = endless();
    const { live, cancel } = await endWith(night, signal);
    expect(live).toMatchObject({ standing: "running", done: 1, total: 2 });
    expect(live["todo"]).toContain("smart-ralph stop");
    expect(cancel.code, "a run that is at work is stopped, not cancelled").toBe(1);
    expect(cancel.err).toContain("is working on");
    const status = { standing: "stopped", why, todo: `${GO_ON} continues`, done: 1, total: 2 };
    expect(json(night, "status")).toMatchObject(status);
    const specs = [
      { standing: "stopped, 1 of 2 tasks done: 1 proven, in a run's tree", finished: false },
    ];
    expect(json(night, "list")).toMatchObject({ specs });
    expect(night.cli("cancel").out).toContain(`"demo" is not running.`);
    for (const verb of ["cancel", "resume"]) {
      const { out, err } = night.cli(verb);
      expect(out + err, verb).toContain(`${GO_ON} goes on there`);
    }
    expect(json(night, "status")).toMatchObject(status);
    night.scenes([]);
    expect((await night.run()).code).toBe(0);
    expect(json(night, "status")).toMatchObject({ standing: "finished", done: 2 });
    expect(night.cli("list").out).toContain(
      "finished, 2 of 2 tasks done: 2 proven, in a run's tree",
    );
  },
);

it("a run in the user's own tree that was killed continues there", async () => {
  const night = endless();
  await endWith(night, "SIGKILL", ["--here"]);
  expect(json(night, "status")).toMatchObject({
    standing: "stopped",
    why: "its run was killed",
    todo: `${GO_ON} --here continues`,
  });
  expect(night.cli("list").out).toContain("stopped, 1 of 2 tasks done: 1 proven");
});

it("a run that is stuck says why, until it goes on", async () => {
  const night = makeNight({
    files: { ".gitignore": "t1-1.txt\n" },
    rows: ROWS,
    // There is something to commit besides what git ignores.
    scenes: [scene("1.1", [{ append: "code.txt", text: "more\n" }, ...honest("1.1")])],
  });
  expect((await night.run()).code).toBe(1);
  const { standing, why, done } = json(night, "status");
  expect({ standing, done }).toEqual({ standing: "stopped", done: 1 });
  expect(why).toMatch(/^these tasks fail in a clean checkout of [0-9a-f]{9}: 1\.1$/);
});

it("a run that waits for an answer says what it waits for", async () => {
  const night = makeNight({
    rows: ROWS,
    settings: "default_max_iterations: 1",
    scenes: [scene("1.1", [{ report: "I cannot.\nTASK_BLOCKED" }])],
  });
  expect((await night.run()).code).toBe(1);
  expect(json(night, "status")).toMatchObject({ standing: "waiting for your answer" });
});
