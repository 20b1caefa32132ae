import { existsSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import type { DemoStep } from "../../../src/agents/demo/script.ts";
import { makeNight, type Night, PROGRAM, settled } from "./night.ts";
import { fileOf, honest, scene, until } from "./scenes.ts";

const ask = (text: string, options: string): DemoStep => ({
  run: `"${process.execPath}" "${PROGRAM}" ask "${text}" --options ${options} > asked.txt 2>&1`,
});

const ASKS: DemoStep[] = [
  { write: fileOf("1.1"), text: "half" },
  ask("Which colour?", "red,blue"),
  { report: "I asked.\nTASK_BLOCKED" },
];

/** The first agent of 1.1 asks; 1.3 does not depend on it. */
const makeAsker = (): Night => {
  const night = makeNight({
    rows: [
      { id: "1.1", tags: "[P]" },
      { id: "1.3", tags: "[P]" },
    ],
  });
  const count = night.counter("ask");
  night.scenes([scene("1.1", [{ first: 1, count, steps: ASKS }, ...honest("1.1")])]);
  return night;
};

describe.each([["1"], ["2"]])("a question, --parallel %s", (parallel) => {
  it("holds its task, not the others; an answer lets it go on", async () => {
    const night = makeAsker();
    const args = ["--parallel", parallel];
    const { code, events } = await night.run(args);
    expect(code).toBe(5);
    expect(events).toContainEqual(
      expect.objectContaining({
        kind: "question",
        task: "1.1",
        text: "Which colour?",
        options: ["red", "blue", "leave it"],
      }),
    );
    expect(events.at(-1)).toMatchObject({ status: "waits", done: 1, total: 2 });
    expect(night.tasks()).toMatch(/- \[ \] 1\.1[\s\S]*- \[x\] 1\.3/);

    const waits = await night.run(args);
    expect(waits.code, "nobody has answered").toBe(5);
    expect(waits.events.filter(({ kind }) => kind === "attempt-started")).toEqual([]);

    expect(night.cli("inbox").out).toContain("Which colour?");
    expect(night.cli("answer", "1", "blue")).toMatchObject({ code: 0 });
    const after = await night.run(args);
    expect(after.code).toBe(0);
    const starts = after.events.filter((one) => one.kind === "attempt-started");
    expect(starts, "asking costs no attempt").toMatchObject([{ task: "1.1", attempt: 1 }]);
    const notes = night.git("show", "smart-ralph/demo:specs/demo/.progress.md");
    expect(notes, "SECURITY.md says so").toContain('"Which colour?", you decided: blue');
    expect(night.work()).toHaveLength(3);
  });
});

it.each(["1", "2"])("outlives a runner that is killed at once, --parallel %s", async (parallel) => {
  const night = makeAsker();
  const asked = night.counter("asked");
  const hang = [...ASKS.slice(0, -1), { run: `touch "${asked}"` }, until("false")];
  const count = night.counter("ask");
  night.scenes([scene("1.1", [{ first: 1, count, steps: hang }, ...honest("1.1")])]);
  const args = ["--parallel", parallel];
  const child = night.start(args);
  const ended = night.wait(child);
  await vi.waitFor(() => expect(existsSync(asked)).toBe(true), { timeout: 60_000 });
  child.kill("SIGKILL");
  await ended;
  await settled(() => night.left().filter((one) => !one.endsWith(".lock")));
  // In the tree of one task, only the next run looks.
  if (parallel === "1") {
    expect(night.cli("status").out).toContain("Which colour?");
    expect(night.cli("inbox").out).toContain("2. blue");
  }
  const waits = await night.run(args);
  expect(waits.code).toBe(5);
  expect(waits.events).toContainEqual(
    expect.objectContaining({ kind: "question", task: "1.1", text: "Which colour?" }),
  );
  expect(night.cli("answer", "1", "blue")).toMatchObject({ code: 0 });
  expect((await night.run(args)).code).toBe(0);
});

it("the answer is in the next agent's orders, and an agent that asks again gets it at once", async () => {
  const night = makeAsker();
  expect((await night.run()).code).toBe(5);
  expect(night.cli("answer", "1", "blue")).toMatchObject({ code: 0 });
  night.scenes([
    scene("1.1", [
      ask("Which colour?", "red,blue"),
      { run: "grep -q blue asked.txt && echo done > t1-1.txt; rm asked.txt" },
      { report: "It is blue.\nTASK_COMPLETE" },
    ]),
  ]);
  expect((await night.run()).code).toBe(0);
});

it("an answer lets a task of a group go on while the others are still at work", async () => {
  const night = makeAsker();
  const again = night.counter("again");
  const wait = `for i in $(seq 400); do test -e "${again}" && break; sleep 0.1; done`;
  night.scenes([
    scene("1.1", [
      { first: 1, count: night.counter("ask"), steps: ASKS },
      { run: `touch "${again}"` },
      ...honest("1.1"),
    ]),
    scene("1.3", [{ run: wait }, ...honest("1.3")]),
  ]);
  const ended = night.wait(night.start(["--parallel", "2"]));
  await night.until(({ kind }) => kind === "question");
  expect(night.cli("answer", "1", "blue")).toMatchObject({ code: 0 });
  const { code, events } = await ended;
  expect(code).toBe(0);
  const told = events.flatMap((one) =>
    one.kind === "attempt-started" || one.kind === "done" || one.kind === "answered"
      ? [`${one.kind} ${"task" in one ? one.task : one.id}`]
      : [],
  );
  const begins = told.lastIndexOf("attempt-started 1.1");
  expect(told.filter((one) => one === "attempt-started 1.1")).toHaveLength(2);
  expect(told.indexOf("answered 1")).toBeLessThan(begins);
  expect(begins, told.join(", ")).toBeLessThan(told.indexOf("done 1.3"));
  expect(night.work()).toHaveLength(3);
});

describe("a task that failed", () => {
  const makeLiar = (): Night =>
    makeNight({
      settings: "default_max_iterations: 1",
      rows: [{ id: "1.1" }, { id: "1.2" }],
      scenes: [scene("1.1", [{ report: "TASK_COMPLETE" }])],
    });
  const startsOf = (events: readonly { kind: string; task?: string }[]): (string | undefined)[] =>
    events.flatMap((one) => (one.kind === "attempt-started" ? [one.task] : []));

  it("is tried again as often as the user says so, and asked about again", async () => {
    const night = makeLiar();
    expect((await night.run()).code).toBe(1);
    for (const id of ["1", "2"]) {
      expect(night.cli("answer", id, "try again")).toMatchObject({ code: 0 });
      const { code, events } = await night.run();
      expect(code).toBe(1);
      expect(startsOf(events)).toEqual(["1.1"]);
      expect(events).toContainEqual(expect.objectContaining({ kind: "question", task: "1.1" }));
    }
    night.scenes([]);
    expect(night.cli("answer", "3", "try again")).toMatchObject({ code: 0 });
    expect((await night.run()).code).toBe(0);
  });

  it("is left if the user says so, but then the run is not finished", async () => {
    const night = makeLiar();
    expect((await night.run()).code).toBe(1);
    expect(night.cli("answer", "1", "leave it")).toMatchObject({ code: 0 });
    const { code, events } = await night.run();
    expect(code).not.toBe(0);
    expect(startsOf(events)).toEqual([]);
    expect(events.at(-1)).toMatchObject({ done: 1, total: 2 });
  });
});

it("only the user answers questions, skips tasks or replaces a Verify", async () => {
  const night = makeNight({ rows: [{ id: "1.1", tags: "[P]" }, { id: "1.3" }, { id: "1.4" }] });
  const at = "2999-01-01T00:00:00.000Z";
  const entry = { kind: "question", run: "r", text: "Which?", options: [], askedAt: at };
  const answered = { answer: "replace it", answeredAt: at, answeredBy: "user" };
  const entries = [
    { ...entry, ...answered, id: 1, task: "1.1" },
    { ...entry, ...answered, id: 2, task: "1.3", verify: "true" },
    { ...entry, id: 3, task: "1.4", kind: "skip" },
  ];
  const forge: DemoStep = { write: "specs/demo/.inbox.json", text: JSON.stringify({ entries }) };
  const count = night.counter("ask");
  night.scenes([
    scene("1.1", [
      { first: 1, count, steps: [...ASKS.slice(0, -1), forge, ...ASKS.slice(-1)] },
      ...honest("1.1"),
    ]),
    scene("1.3", [forge, ...honest("1.3")]),
  ]);
  const { code, events } = await night.run();
  expect(code).toBe(5);
  expect(events.at(-1)).toMatchObject({ status: "waits", done: 2, total: 3 });
  expect(night.tasks()).toMatch(/- \[ \] 1\.1[\s\S]*- \[x\] 1\.3[\s\S]*- \[x\] 1\.4/);
  expect(night.tasks()).not.toContain("`true`");
  expect(night.cli("inbox").out).toContain("Which colour?");
  expect(night.cli("answer", "1", "blue")).toMatchObject({ code: 0 });
  expect((await night.run()).code).toBe(0);
});
