import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import type { DemoStep } from "../../../src/agents/demo/script.ts";
import type { RunEvent } from "../../../src/runner/events.ts";
import { makeNight, type Night, type Plan } from "./night.ts";
import { COMPLETE, fileOf, honest, scene } from "./scenes.ts";

const TWO = "default_max_iterations: 2";
const ROWS = [{ id: "1.1" }, { id: "1.2" }];

/** The first task's agents do these steps so many times before they are honest. */
function nightWith(times: number, steps: readonly DemoStep[], plan: Partial<Plan> = {}): Night {
  const night = makeNight({ rows: ROWS, settings: TWO, ...plan });
  const count = night.counter("first");
  night.scenes([scene("1.1", [{ first: times, count, steps }, ...honest("1.1")])]);
  return night;
}

const of = <K extends RunEvent["kind"]>(night: Night, kind: K): Extract<RunEvent, { kind: K }>[] =>
  night.events().filter((one) => one.kind === kind) as Extract<RunEvent, { kind: K }>[];

const attemptsAt = (night: Night, id: string): number[] =>
  of(night, "attempt-started").flatMap(({ task, attempt }) => (task === id ? [attempt] : []));

describe("a usage limit", () => {
  it("whoever goes on in the same attempt is told what was set aside", async () => {
    const night = makeNight({
      rows: [{ id: "1.1" }],
      scenes: [
        { when: "Unfinished work of an earlier attempt at this task", attempts: [honest("1.1")] },
        scene("1.1", [{ write: fileOf("1.1"), text: "half of it" }, { limit: 1 }]),
      ],
    });
    expect((await night.run(["--max-time", "60s"])).code).toBe(0);
    expect(attemptsAt(night, "1.1")).toEqual([1, 1]);
  });

  it("is waited for until its reset, in the middle of the work too, and is not an attempt", async () => {
    const night = nightWith(1, [
      { write: fileOf("1.1"), text: "half of it" },
      { write: "junk.txt", text: "on the way" },
      { append: "code.txt", text: "changed\n" },
      { limit: 2 },
    ]);
    const { code } = await night.run();
    expect(code).toBe(0);
    expect(attemptsAt(night, "1.1")).toEqual([1, 1]);
    // Whoever takes longer than that to clean up has nothing to wait for.
    const [limit] = of(night, "limit");
    const again = of(night, "attempt-started")[1];
    expect(Date.parse(again?.at ?? "")).toBeGreaterThanOrEqual(Date.parse(limit?.until ?? ""));
    // Unfinished work is kept, and is not in the way.
    expect(night.asides()).toHaveLength(1);
    const kept = night.asides()[0] as string;
    expect(night.git("show", `${kept}:junk.txt`)).toBe("on the way");
    expect(night.git("show", `${kept}:${fileOf("1.1")}`)).toBe("half of it");
    const files = night.git("ls-tree", "-r", "--name-only", "smart-ralph/demo");
    expect(files).not.toContain("junk.txt");
    expect(night.git("show", "smart-ralph/demo:code.txt")).toBe("begun");
    expect(night.work()).toEqual(["feat: task 1.2", "feat: task 1.1", "begin"]);
  });

  it("does not lose what others of its group have done in the same tree", async () => {
    const night = makeNight({
      rows: ["1.1", "1.2", "1.3"].map((id) => ({ id, tags: "[P]" })),
    });
    const steps: DemoStep[] = [{ write: fileOf("1.2"), text: "half" }, { limit: 1 }];
    const count = night.counter("limit");
    night.scenes([scene("1.2", [{ first: 1, count, steps }, ...honest("1.2")])]);
    expect((await night.run()).code).toBe(0);
    expect([...night.work()].sort()).toEqual([
      "begin",
      "feat: task 1.1",
      "feat: task 1.2",
      "feat: task 1.3",
    ]);
  });

  it("ends the run with --no-wait, and the next one goes on", async () => {
    const night = nightWith(1, [{ limit: 3600 }]);
    const { code, events } = await night.run(["--no-wait"]);
    expect(code).toBe(7);
    expect(events.at(-1)).toMatchObject({ status: "unavailable", done: 0 });
    expect((await night.run()).code).toBe(0);
    expect(attemptsAt(night, "1.1")).toEqual([1]);
  });
});

it("a busy service is asked again, later each time, and costs no attempt", async () => {
  const night = nightWith(1, [{ end: "busy" }]);
  expect((await night.run()).code).toBe(0);
  expect(attemptsAt(night, "1.1")).toEqual([1, 1]);
  expect(of(night, "waiting")).toHaveLength(1);
});

describe("an ACP agent that never answers", () => {
  const settings = [
    `acp: [silent=${process.execPath} ${resolve("test/support/acp-agent.mjs")}]`,
    "run_silence: 1s",
    "run_busy: 3s",
  ].join("\n");

  it("is not asked forever: it becomes a question, and the answer lets the task go on", async () => {
    const night = makeNight({ rows: [{ id: "1.1" }], settings });
    const { code, events } = await night.run(["--agent", "silent"]);
    expect(code).toBe(1);
    expect(events.at(-1)).toMatchObject({ status: "stuck", done: 0 });
    expect(attemptsAt(night, "1.1")).toEqual([1, 1]);
    const text =
      'No agent has answered for 3 s: "silent: the model did not answer: its service may be busy". What now?';
    expect(of(night, "question")).toMatchObject([{ task: "1.1", text }]);
    expect(night.cli("answer", "1", "try again").code).toBe(0);
    expect((await night.run()).code).toBe(0);
  });

  it("ends the run if other tasks would need it too", async () => {
    const night = makeNight({ rows: ROWS, settings });
    const { code, events } = await night.run(["--agent", "silent"]);
    expect(code).toBe(7);
    expect(events.at(-1)).toMatchObject({ status: "unavailable", done: 0, total: 2 });
    expect(attemptsAt(night, "1.2")).toEqual([]);
    expect(of(night, "question")).toMatchObject([{ task: "1.1" }]);
  });
});

it("a missing login ends the run if no other agent was named", async () => {
  const night = nightWith(1, [{ end: "auth" }]);
  const { code, events } = await night.run();
  expect(code).toBe(7);
  expect(events.at(-1)).toMatchObject({ status: "unavailable", done: 0, total: 2 });
  expect((await night.run()).code).toBe(0);
  expect(attemptsAt(night, "1.1")).toEqual([1]);
});

it("a model that refuses fails the attempt, and the next one is told why", async () => {
  const night = nightWith(1, [{ end: "refused" }]);
  expect((await night.run()).code).toBe(0);
  expect(attemptsAt(night, "1.1")).toEqual([1, 2]);
  expect(night.entries()).toContainEqual(
    expect.objectContaining({
      event: "failed",
      task: "1.1",
      note: expect.stringContaining("refused"),
    }),
  );
});

it("a prompt that is too long becomes a question: another attempt would not help", async () => {
  const night = nightWith(1, [{ end: "too-long" }]);
  const { code, events } = await night.run();
  expect(code).toBe(1);
  expect(events.at(-1)).toMatchObject({ status: "stuck" });
  expect(of(night, "question")).toEqual([
    expect.objectContaining({ task: "1.1", text: expect.stringContaining("too long") }),
  ]);
});

describe("a program that crashes", () => {
  it("is started again, and the first two crashes cost no attempt", async () => {
    const night = nightWith(2, [{ write: "half.txt", text: "x" }, { crash: 3 }]);
    expect((await night.run()).code).toBe(0);
    expect(attemptsAt(night, "1.1")).toEqual([1, 1, 1]);
  });

  it("fails the attempt after three crashes; after all attempts the user is asked, and others go on", async () => {
    const night = nightWith(99, [{ crash: 3 }]);
    const { code, events } = await night.run();
    expect(code).toBe(1);
    expect(attemptsAt(night, "1.1")).toEqual([1, 1, 1, 2, 2, 2]);
    expect(events.at(-1)).toMatchObject({ status: "stuck", done: 1, total: 2 });
    expect(of(night, "question")).toMatchObject([{ task: "1.1" }]);
  });
});

describe("an agent that never ends", () => {
  it("is ended when its time is up, whatever it ignores; the run goes on", async () => {
    const night = nightWith(1, [{ leave: "300" }, { hang: true }], {
      settings: "run_wall: 3s",
    });
    expect((await night.run()).code).toBe(0);
    expect(attemptsAt(night, "1.1").slice(0, 2)).toEqual([1, 2]);
    expect(of(night, "attempt-ended")[0]?.ending).toEqual({ kind: "stopped", by: "wall" });
  });

  it("is ended when it gives no sign of life", async () => {
    const night = nightWith(1, [{ say: "Hm." }, { sleep: 60_000 }], {
      settings: "run_silence: 3s",
    });
    expect((await night.run()).code).toBe(0);
    expect(of(night, "attempt-ended")[0]?.ending).toEqual({ kind: "stopped", by: "silence" });
  });
});

it("children in sessions of their own are gone before the claim is weighed", async () => {
  const night = makeNight({
    // The Verify looks for them, which it could not do from a namespace of its own.
    settings: "run_namespace: off",
    rows: [{ id: "1.1", verify: "grep -q done t1-1.txt && ! pgrep -f 'sleep [9]8765'" }],
    scenes: [
      scene("1.1", [
        { leave: "98765" },
        { run: "setsid sh -c 'sleep 98765' >/dev/null 2>&1 &" },
        { write: fileOf("1.1"), text: "done\n" },
        COMPLETE,
      ]),
    ],
  });
  expect((await night.run()).code).toBe(0);
});

it("a process with an empty environment and a session of its own does not outlive its agent", async () => {
  const night = makeNight({ rows: [{ id: "1.1" }], settings: "run_namespace: off" });
  const up = night.counter("up");
  const lone = `env -i setsid sh -c 'touch ${up}; exec sleep 300' >/dev/null 2>&1 &`;
  // Until it has left the agent's process group it would end with the group, without a sweep.
  const untilUp = `until test -e ${up}; do sleep 0.05; done`;
  night.scenes([scene("1.1", [{ run: `${lone} ${untilUp}` }, ...honest("1.1")])]);
  const { code, events } = await night.run();
  expect(code).toBe(0);
  expect(events).toContainEqual(expect.objectContaining({ kind: "swept" }));
});
