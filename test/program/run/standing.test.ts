import { expect, it } from "vitest";
import { GOAL, makeGoal } from "./goal-night.ts";
import { makeNight, type Night } from "./night.ts";
import { honest, scene, until } from "./scenes.ts";

const ROWS = [{ id: "1.1" }, { id: "1.2" }];
const GO_ON = "smart-ralph run demo --agent demo";

const DIED = /^the runner died at \d\d:\d\d$/;

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
  ["killed", "SIGKILL", DIED],
  ["stopped with Ctrl-C", "SIGINT", /^you stopped it$/],
] as const)(
  "status, list, inbox, the first screen, watch, stop, cancel and resume agree about a run that was %s",
  async (_, signal, why) => {
    const night = endless();
    const { live, cancel } = await endWith(night, signal);
    expect(live).toMatchObject({ standing: "running", done: 1, total: 2 });
    expect(live["todo"]).toContain("smart-ralph stop");
    expect(cancel.code, "a run that is at work is stopped, not cancelled").toBe(1);
    expect(cancel.err).toContain("is working on");
    const todo = `${GO_ON} continues`;
    const status = { standing: "stopped", todo, done: 1, total: 2 };
    const { why: told } = json(night, "status");
    expect(told).toMatch(why);
    expect(json(night, "status")).toMatchObject(status);
    const standing = "stopped, 1 of 2 tasks done: 1 proven, in a run's tree";
    expect(json(night, "list")).toMatchObject({
      specs: [{ standing, finished: false, why: told, todo }],
    });
    for (const verb of ["list", "inbox"])
      expect(night.cli(verb).out, verb).toContain(
        `? demo: ${String(told)}; 1 task of 2 is not done: ${GO_ON}`,
      );
    expect(night.cli().out).toContain(`stopped: ${String(told)}`);
    for (const verb of [[], ["status"], ["watch"], ["summary"]])
      expect(night.cli(...verb).out, verb[0]).toContain(`? 1 task of 2 is not done: ${GO_ON}\n`);
    if (signal === "SIGKILL") {
      const line = `${String(told)}; ${todo}`;
      expect(night.cli("watch").out).toContain(`  ${String(told)}  `);
      for (const args of [["stop"], ["stop", "demo"]])
        expect(night.cli(...args), "nothing is left to stop").toMatchObject({
          code: 3,
          err: `smart-ralph: ${line}\n`,
        });
    }
    expect(night.cli("cancel").out).toContain(`"demo" is not running.`);
    for (const verb of ["cancel", "resume"]) {
      const { out, err } = night.cli(verb);
      expect(out + err, verb).toContain(`${GO_ON} continues there`);
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
    why: expect.stringMatching(DIED) as string,
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
  expect(json(night, "status")).toMatchObject({
    standing: "waiting for your answer",
    todo: `smart-ralph answer 1 <text> answers, then ${GO_ON} continues`,
  });
  expect(night.cli("list").out, "in the same words").toContain("waiting for your answer, 1 of 2");
});

it.each([
  ["killed", "SIGKILL"],
  ["stopped with Ctrl-C", "SIGINT"],
] as const)(
  "a run that was %s while it wrote the documents says how to continue",
  async (_, signal) => {
    const goOn = "smart-ralph run count-requests-refuse --agent demo";
    const night = makeGoal({ wrong: { "design.md": [until("false")] } });
    const child = night.start([], GOAL);
    await night.until((event) => event.kind === "attempt-started" && event.task === "design.md");
    const live = json(night, "status");
    expect(live).toMatchObject({ standing: "running", why: "in phase design" });
    expect(live["todo"]).toMatch(/^smart-ralph watch \S+ shows it, smart-ralph stop \S+ stops it$/);
    expect(night.cli("list").out).toContain("in phase design, running");
    const page = night.cli("summary");
    expect(page).toMatchObject({ code: 0, err: "" });
    expect(page.out).toMatch(/  running  .+\n.*\nNo tasks yet\..* Now at design\.md\.\n$/);
    expect(page.out).toContain(GOAL);
    child.kill(signal);
    await night.wait(child);
    expect(json(night, "status")).toMatchObject({
      standing: "stopped",
      why: expect.stringMatching(signal === "SIGKILL" ? DIED : /^its run has ended$/) as string,
      todo: `${goOn} continues`,
    });
    for (const verb of ["watch", "summary"]) {
      const { code, out } = night.cli(verb);
      expect(code).toBe(0);
      expect(out).toContain(GOAL);
      expect(out).toMatch(/^\? The tasks of /m);
      expect(out).toContain(`he tasks of count-requests-refuse are not written yet: ${goOn}\n`);
    }
    expect(night.cli("list").out).toContain("in phase design, stopped");
  },
);

it("a run that gave up on a task waits for the answer, and then for run", async () => {
  const night = makeNight({
    settings: "default_max_iterations: 1",
    rows: [{ id: "1.1" }],
    scenes: [scene("1.1", [{ report: "Hm." }])],
  });
  expect(await night.run()).toMatchObject({ code: 1 });
  const waiting = night.cli("status", "demo").out;
  expect(waiting).toMatch(/^demo .* waiting for your answer$/m);
  expect(waiting).toContain("smart-ralph answer 1 1");
  night.cli("answer", "1", "try again");
  expect(night.cli("status", "demo").out).toMatch(/stopped: all questions are answered$/m);
});
