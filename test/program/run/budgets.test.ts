import { expect, it } from "vitest";
import type { DemoStep } from "../../../src/agents/demo/script.ts";
import { type Ended, makeNight, type Night, withTime } from "./night.ts";
import { COMPLETE, fileOf, honest, scene } from "./scenes.ts";

const ROWS = [{ id: "1.1" }, { id: "1.2" }];

it.each<{ name: string; args: string[]; uses: DemoStep }>([
  { name: "tokens", args: ["--max-tokens", "10k"], uses: { usage: { input: 9000, output: 2000 } } },
  {
    name: "cost",
    args: ["--max-cost", "0.5"],
    uses: { usage: { input: 10, output: 1, usd: 0.6 } },
  },
])("$name: the agent is ended while it works, and the next run goes on", async ({ args, uses }) => {
  const { night, ended } = await stopAtWork(args, uses);
  await expectEndedAtWork(night, ended);
});

it("time: the agent is ended while it works, and the next run goes on", async () => {
  const { night, ended } = await withTime(async (seconds) => {
    const tried = await stopAtWork(["--max-time", `${seconds}s`], { say: "I take my time." });
    return tried.night.asides().length === 1 ? tried : undefined;
  });
  await expectEndedAtWork(night, ended);
});

async function stopAtWork(args: readonly string[], uses: DemoStep) {
  const night = makeNight({ rows: ROWS });
  const count = night.counter("first");
  const steps: DemoStep[] = [{ write: fileOf("1.1"), text: "half" }, uses, { hang: true }];
  night.scenes([scene("1.1", [{ first: 1, count, steps }, ...honest("1.1")])]);
  return { night, ended: await night.run(args) };
}

async function expectEndedAtWork(night: Night, { code, events }: Ended): Promise<void> {
  expect(code).toBe(6);
  expect(events).toContainEqual(
    expect.objectContaining({ kind: "attempt-ended", ending: { kind: "stopped", by: "budget" } }),
  );
  expect(events.at(-1)).toMatchObject({ status: "budget", done: 0, total: 2 });
  expect(night.asides()).toHaveLength(1);
  const next = await night.run();
  expect(next.code).toBe(0);
  const again = next.events.filter((one) => one.kind === "attempt-started");
  expect(again).toMatchObject([{ task: "1.1", attempt: 1 }, { task: "1.2" }]);
}

it("of one task: it becomes a question, and the others go on", async () => {
  const night = makeNight({
    rows: [
      { id: "1.1", tags: "[P]" },
      { id: "1.2", tags: "[P]" },
    ],
    scenes: [scene("1.1", [{ usage: { input: 9000, output: 2000 } }, { hang: true }])],
  });
  const { code, events } = await night.run(["--max-task-tokens", "10k"]);
  expect(code).toBe(1);
  expect(events).toContainEqual(expect.objectContaining({ kind: "question", task: "1.1" }));
  expect(night.tasks()).toMatch(/- \[ \] 1\.1[\s\S]*- \[x\] 1\.2/);
});

it("a run does not wait for a limit longer than its time budget", async () => {
  const night = makeNight({ rows: ROWS, scenes: [scene("1.1", [{ limit: 3600 }])] });
  const { code, events } = await night.run(["--max-time", "4s"]);
  expect(code).toBe(6);
  expect(events.at(-1)).toMatchObject({ status: "budget", done: 0 });
});

// The trial before the work has to fail at once.
const slow = (seconds: number): string => `test -e t1-1.txt && sleep ${seconds}`;

/** Of a run whose time is up while its only report is verified. */
const stopAtVerify = (plan: (seconds: number) => { takes: number; may: number }): Promise<Ended> =>
  withTime(async (seconds) => {
    const { takes, may } = plan(seconds);
    const rows = [{ id: "1.1", verify: slow(takes) }, { id: "1.2" }];
    const settings = `verify_timeout: ${may}`;
    const night = makeNight({ settings, rows, scenes: [scene("1.1", honest("1.1"))] });
    const ended = await night.run(["--max-time", `${seconds}s`]);
    return ended.events.some(({ kind }) => kind === "verifying") ? ended : undefined;
  });

it("what was reported when the time is up is verified first", async () => {
  const { code, events } = await stopAtVerify((seconds) => ({ takes: seconds + 1, may: 300 }));
  expect(code).toBe(6);
  expect(events.at(-1)).toMatchObject({ status: "budget", done: 1 });
});

it("a Verify has no more than its own time after that, and its task is not done", async () => {
  const { code, events } = await stopAtVerify((seconds) => ({ takes: 300, may: seconds }));
  expect(code).toBe(6);
  expect(events).toContainEqual(expect.objectContaining({ kind: "verifying", task: "1.1" }));
  expect(events.at(-1)).toMatchObject({ status: "budget", done: 0 });
});

const DEAR: DemoStep = { usage: { input: 9000, output: 2000 } };
const finished = (id: string): readonly DemoStep[] => [
  { run: `echo done > ${fileOf(id)} && git add ${fileOf(id)} && git commit -qm "feat: ${id}"` },
  { say: "All of it is done." },
  DEAR,
  // On a busy machine, the end of a turn arrives later than its last message.
  { sleep: 500 },
  COMPLETE,
];

it("an agent that has finished when its use reaches the budget: its work is verified first", async () => {
  const night = makeNight({ rows: ROWS, scenes: ROWS.map(({ id }) => scene(id, finished(id))) });
  const { code, events } = await night.run(["--max-tokens", "10k"]);
  expect(code).toBe(6);
  expect(events.at(-1)).toMatchObject({ status: "budget", done: 1, total: 2 });
  expect(events.filter(({ kind }) => kind === "attempt-started")).toHaveLength(1);
  expect(night.asides()).toEqual([]);
});

it("the last task that reaches the budget ends the run as a success", async () => {
  const night = makeNight({ rows: [{ id: "1.1" }], scenes: [scene("1.1", finished("1.1"))] });
  const { code, events } = await night.run(["--max-tokens", "10k"]);
  expect({ code, end: events.at(-1) }).toMatchObject({ code: 0, end: { status: "finished" } });
});
