import { expect, it } from "vitest";
import type { DemoStep } from "../../../src/agents/demo/script.ts";
import { makeNight } from "./night.ts";
import { fileOf, honest, scene } from "./scenes.ts";

const ROWS = [{ id: "1.1" }, { id: "1.2" }];

it.each<{ name: string; args: string[]; uses: DemoStep }>([
  { name: "tokens", args: ["--max-tokens", "10k"], uses: { usage: { input: 9000, output: 2000 } } },
  {
    name: "cost",
    args: ["--max-cost", "0.5"],
    uses: { usage: { input: 10, output: 1, usd: 0.6 } },
  },
  { name: "time", args: ["--max-time", "4s"], uses: { say: "I take my time." } },
])(
  "$name: the agent is ended while it works, and the next run goes on",
  async ({ name, args, uses }) => {
    const night = makeNight({ rows: ROWS });
    const count = night.counter("first");
    const steps: DemoStep[] = [{ write: fileOf("1.1"), text: "half" }, uses, { hang: true }];
    night.scenes([scene("1.1", [{ first: 1, count, steps }, ...honest("1.1")])]);
    const { code, events } = await night.run(args);
    expect(code).toBe(6);
    expect(events).toContainEqual(
      expect.objectContaining({ kind: "attempt-ended", ending: { kind: "stopped", by: "budget" } }),
    );
    expect(events.at(-1)).toMatchObject({ status: "budget", done: 0, total: 2 });
    // The time may be up before the agent has written anything.
    if (name !== "time") expect(night.asides()).toHaveLength(1);
    const next = await night.run();
    expect(next.code).toBe(0);
    const again = next.events.filter((one) => one.kind === "attempt-started");
    expect(again).toMatchObject([{ task: "1.1", attempt: 1 }, { task: "1.2" }]);
  },
);

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

it("the end of the time interrupts a Verify too, and its task is not done", async () => {
  // The trial before the work has to fail at once.
  const verify = "test -e t1-1.txt && sleep 300";
  const night = makeNight({ rows: [{ id: "1.1", verify }], scenes: [scene("1.1", honest("1.1"))] });
  const { code, events } = await night.run(["--max-time", "5s"]);
  expect(code).toBe(6);
  expect(events).toContainEqual(expect.objectContaining({ kind: "verifying", task: "1.1" }));
  expect(events.at(-1)).toMatchObject({ status: "budget", done: 0 });
});
