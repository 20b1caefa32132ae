import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { DemoStep } from "../../../src/agents/demo/script.ts";
import type { RunEvent } from "../../../src/runner/events.ts";
import { makeNight, type Night, PROGRAM } from "./night.ts";
import { COMPLETE, fileOf, honest, listOf, scene, until } from "./scenes.ts";

const run = (command: string, out: string): DemoStep => ({
  run: `"${process.execPath}" "${PROGRAM}" ${command} > "${out}" 2>&1`,
});
const ofKind = <K extends RunEvent["kind"]>(events: readonly RunEvent[], kind: K) =>
  events.filter((one): one is Extract<RunEvent, { kind: K }> => one.kind === kind);
const startsOf = (events: readonly RunEvent[]): string[] =>
  ofKind(events, "attempt-started").map(({ task }) => task);

describe("a Verify that can never pass", () => {
  const ROWS = [{ id: "1.1" }, { id: "1.2", tags: "[VERIFY]", verify: "test -e nope.txt" }];
  const WRONG: DemoStep = { report: "VERIFY_WRONG: `test -e t1-1.txt`" };

  it("is called wrong by whoever checks, and replaced if the user says so", async () => {
    const night = makeNight({ rows: ROWS, scenes: [scene("1.2", [WRONG])] });
    const { code, events } = await night.run();
    expect(code, "it only waits for an answer").toBe(5);
    expect(ofKind(events, "question")).toMatchObject([
      { task: "1.2", options: ["replace it", "keep it"] },
    ]);
    expect(night.cli("answer", "1", "1").out).toContain(
      '"replace it" is kept for 1.2. No run is at work; smart-ralph run demo --agent demo continues.',
    );
    const after = await night.run();
    expect(after.code).toBe(0);
    expect(startsOf(after.events), "a program runs the new one").toEqual([]);
    expect(ofKind(after.events, "note").map(({ text }) => text)).toContain(
      "1.2: its Verify was replaced by `test -e t1-1.txt`",
    );
    expect(ofKind(after.events, "done")).toMatchObject([{ task: "1.2" }]);
    const { out } = night.cli("summary", "demo");
    expect(out).toContain("1.2 was held up: its Verify failed; its Verify was replaced\n");
  });

  it("is told to have failed, if the new one fails too, and spends no attempt", async () => {
    const work: DemoStep = { run: "echo a > a.txt && git add a.txt && git commit -qm a" };
    const night = makeNight({
      rows: [{ id: "1.1" }, { id: "1.2", verify: "test -e nope.txt" }],
      scenes: [scene("1.2", [work, { report: "I looked.\nVERIFY_WRONG: `test -e t1-2.txt`" }])],
    });
    expect((await night.run()).code).toBe(5);
    night.cli("answer", "1", "replace it");
    night.scenes([]);
    const { code, events } = await night.run();
    expect(code).toBe(0);
    expect(ofKind(events, "refused")).toMatchObject([{ task: "1.2", attempt: 0, claimed: false }]);
    expect(night.cli("summary", "demo").out).toContain(
      "1.2 was held up: its Verify was replaced; its Verify failed\n",
    );
  });

  it("ends the run with 5 also if its agent proposes no other", async () => {
    const night = makeNight({ rows: ROWS, scenes: [scene("1.2", [{ report: "VERIFY_WRONG" }])] });
    expect((await night.run()).code).toBe(5);
  });

  it("is replaced in the task that it was copied from, with one answer", async () => {
    const night = makeNight({
      rows: ROWS,
      scenes: [
        scene("1.2", [{ report: "VERIFICATION_FAIL\nnope.txt is missing" }]),
        scene("1.2.1", [WRONG]),
      ],
    });
    const { events } = await night.run();
    expect(ofKind(events, "question")).toMatchObject([
      { task: "1.2.1", text: expect.stringContaining("(also in 1.2)") },
    ]);
    expect(night.cli("answer", "1", "replace it")).toMatchObject({ code: 0 });
    night.scenes([scene("1.2.1", [{ report: "NO_CHANGE: its Verify was wrong\nTASK_COMPLETE" }])]);
    const after = await night.run();
    expect(after.code).toBe(0);
    expect(ofKind(after.events, "question")).toEqual([]);
    expect(night.tasks()).not.toContain("nope.txt`");
    const amended = night.entries().filter(({ event }) => event === "amended");
    expect(amended.map(({ task }) => task)).toEqual(["1.2.1", "1.2"]);
  });
});

describe("amend during a run", () => {
  it("is not for its agents, and holds up nothing", async () => {
    const night = makeNight({ rows: [{ id: "1.1" }, { id: "1.2" }] });
    const told = night.counter("told");
    const amend = "amend 1.1 --verify 'test -s t1-1.txt' --reason shorter";
    night.scenes([scene("1.1", [run(amend, told), ...honest("1.1")])]);
    expect((await night.run()).code).toBe(0);
    expect(readFileSync(told, "utf8")).toContain("VERIFY_WRONG: `test -s t1-1.txt`");
    expect(night.tasks()).toContain("grep -q done t1-1.txt");
  });

  it("counts at once if the user types it, who is told so", async () => {
    const night = makeNight({ rows: [{ id: "1.1" }, { id: "1.2", verify: "false" }] });
    const go = night.counter("go");
    night.scenes([scene("1.1", [until(`test -e "${go}"`), ...honest("1.1")])]);
    const ended = night.wait(night.start());
    await night.until(({ kind }) => kind === "attempt-started");
    const amended = night.cli("amend", "1.2", "--verify", "test -s t1-2.txt", "--reason", "wrong");
    expect(amended.out).toContain("The run continues with that at its next turn.");
    expect(amended.out).not.toMatch(/end your turn/i);
    writeFileSync(go, "");
    expect((await ended).code).toBe(0);
  });
});

it("what waits for approval is in the inbox, the status and the report, with the command", async () => {
  const night = makeNight({ rows: [{ id: "1.1" }, { id: "1.2" }] });
  const go = night.counter("go");
  night.scenes([scene("1.1", [until(`test -e "${go}"`), ...honest("1.1")])]);
  const ended = night.wait(night.start(["--here"]));
  await night.until(({ kind }) => kind === "attempt-started");
  expect(night.cli("await-approval", "--reason", "look at 1.1 first")).toMatchObject({ code: 0 });
  writeFileSync(go, "");
  const { code, events } = await ended;
  expect(code).toBe(5);
  expect(ofKind(events, "approval")).toMatchObject([
    { spec: "demo", text: "look at 1.1 first", todo: "smart-ralph approve demo" },
  ]);
  for (const look of [["inbox"], ["status", "demo"], ["summary", "demo"]]) {
    const { out } = night.cli(...look);
    expect(out, look[0]).toContain("look at 1.1 first");
    expect(out, look[0]).toContain("smart-ralph approve");
  }
  const { out } = night.cli("approve", "demo");
  expect(out).toMatch(/Approved\.\n.*smart-ralph run demo --agent demo --here continues/);
  expect(out).not.toMatch(/end your turn/i);
  expect(night.cli("inbox").out).not.toContain("approve");
  expect((await night.run(["--here"])).code).toBe(0);
});

describe("leave it", () => {
  const makeLiar = (): Night =>
    makeNight({
      settings: "default_max_iterations: 1",
      rows: [{ id: "1.1" }, { id: "1.2" }],
      scenes: [scene("1.1", [{ report: "TASK_COMPLETE" }])],
    });

  it("skips the task at once, everywhere, until the user takes it up again", async () => {
    const night = makeLiar();
    expect((await night.run()).code).toBe(1);
    const wrong = night.cli("answer", "1", "3");
    expect(wrong.code).toBe(2);
    expect(wrong.err).toContain("question 1 has no option 3; its options: 1. try again, 2. leave");
    const skipped = "1.1 is skipped; to unskip it: smart-ralph unskip 1.1.";
    expect(night.cli("answer", "1", "2").out).toContain(skipped);
    expect(night.cli("inbox").out).toContain("to unskip it: smart-ralph unskip 1.1");
    const { code, events } = await night.run();
    expect(code).toBe(5);
    expect(startsOf(events)).toEqual([]);
    expect(ofKind(events, "question")).toEqual([]);
    expect(ofKind(events, "plan").at(-1)?.tasks[0]).toMatchObject({ state: "skipped" });
    const status = night.cli("status", "demo").out;
    expect(status).toContain("? 1.1 was skipped by you: left, as you said: smart-ralph unskip 1.1");
    expect(night.cli("summary", "demo").out).toContain("smart-ralph unskip 1.1");

    night.scenes([]);
    expect(night.cli("unskip", "1.1")).toMatchObject({ code: 0 });
    expect((await night.run()).code, "its attempts count from one").toBe(0);
  });

  it("is taken back by another answer, which the next agent gets", async () => {
    const night = makeLiar();
    await night.run();
    night.cli("answer", "1", "leave it");
    const taken = '"write done" is kept for 1.1, which is no longer skipped. No run is at work;';
    expect(night.cli("answer", "2", "write done").out).toContain(taken);
    const got = night.counter("got");
    night.scenes([scene("1.1", [run("ask 'What?'", got), ...honest("1.1")])]);
    expect((await night.run()).code).toBe(0);
    const orders = readFileSync(got, "utf8");
    expect(orders).toContain("The user decided: write done");
    expect(orders).not.toContain("leave it");
  });
});

it("an answer is told at once, while other agents are at work", async () => {
  const night = makeNight({ rows: [{ id: "1.1" }, { id: "1.3" }] });
  const go = night.counter("go");
  const ask: DemoStep[] = [run("ask 'Which?' --options a,b", fileOf("1.1")), COMPLETE];
  night.scenes([
    scene("1.1", [{ first: 1, count: night.counter("ask"), steps: ask }, ...honest("1.1")]),
    scene("1.3", [until(`test -e "${go}"`), ...honest("1.3")]),
  ]);
  const ended = night.wait(night.start());
  await night.until((one) => one.kind === "attempt-started" && one.task === "1.3");
  night.cli("answer", "1", "a");
  await night.until(({ kind }) => kind === "answered");
  writeFileSync(go, "");
  const { code, events } = await ended;
  expect(code).toBe(0);
  expect(night.cli("summary", "demo").out).toContain("Setbacks: 1.1 waited for your answer\n");
  const told = events.map(({ kind }) => kind);
  expect(told.indexOf("answered")).toBeLessThan(told.indexOf("done"));
});

it("a question about a task that is done meanwhile is not asked again at each start", async () => {
  const night = makeNight({
    settings: "default_max_iterations: 1",
    rows: [{ id: "1.1" }, { id: "1.2" }],
    scenes: [scene("1.1", [{ report: "TASK_COMPLETE" }])],
  });
  expect((await night.run()).code).toBe(1);
  const accepted = night.cli("accept", "1.1").out;
  expect(accepted).toContain("1.1 is accepted as done, 2 of 2.");
  expect(accepted).toContain("smart-ralph run demo --agent demo continues");
  const { code, events } = await night.run();
  expect(ofKind(events, "question")).toEqual([]);
  expect(code).toBe(0);
});

it("after the run, the user accepts what is done and not proven; its evidence stays", async () => {
  const rows = [{ id: "1.1", verify: "test -e code.txt" }, { id: "1.2" }, { id: "1.3" }];
  // Nobody can check 1.3, which keeps the run from 0; nobody saw the Verify of 1.1 fail.
  const tasks = listOf(rows).replace("`grep -q done t1-3.txt`", "somebody looks at it");
  const night = makeNight({ rows, files: { "specs/demo/tasks.md": tasks } });
  expect((await night.run()).code).toBe(8);
  const receipt = (): {
    tasks: { id: string; class: string; verify: object[]; commits: string[] }[];
  } => JSON.parse(night.git("show", "smart-ralph/demo:specs/demo/receipt.json"));
  const [before] = receipt().tasks;
  expect(before).toMatchObject({ id: "1.1", class: "checked" });
  for (const id of ["1.1", "1.3"])
    expect(night.cli("accept", id).out).toContain(
      `${id} is accepted as done, 3 of 3. All 3 tasks are done.`,
    );
  const [first, , third] = receipt().tasks;
  expect(first).toMatchObject({
    class: "accepted",
    verify: [{ after: "passed" }],
    commits: before?.commits,
  });
  expect(third).toMatchObject({ class: "accepted" });
  expect(night.cli("status", "demo").out).toContain("finished");
  expect(night.cli("summary", "demo").out).toContain("1 proven, 2 accepted");
  const notes = night.git("show", "smart-ralph/demo:specs/demo/.progress.md");
  expect(notes).toContain("accepted by the user");
  expect(night.cli("accept", "1.2").err).toContain("1.2 is proven");
  expect((await night.run()).code).toBe(0);
});
