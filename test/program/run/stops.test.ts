import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { endOf } from "../child.ts";
import { fileOf, honest, makeNight, type Night, photograph, scene, settled } from "./night.ts";

const HANG = [{ write: fileOf("1.2"), text: "half" }, { leave: "300" }, { hang: true }] as const;

/** One task is done, and the agent of the next one never ends the first time. */
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

describe("kill -9 of the runner", () => {
  it("takes its agents with it, and what was half done is set aside", async () => {
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
  const said = { out: "", err: "" };
  second.stdout?.on("data", (chunk: Buffer) => (said.out += chunk));
  second.stderr?.on("data", (chunk: Buffer) => (said.err += chunk));
  expect(await endOf(second)).toBe(1);
  expect(said.err + said.out).toContain(`run ${run} (process ${child.pid}`);
  expect(spawnSync("kill", ["-0", String(child.pid)]).status, "the first one is not hurt").toBe(0);
  child.kill("SIGINT");
  expect((await ended).code).toBe(130);
  expect(await settled(night.left)).toEqual([]);
});
