import { Buffer } from "node:buffer";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { hasVariable, listProcesses, readPs } from "./processes.ts";
import { pickMarked, sweepMark } from "./sweep.ts";

const NAME = "SMART_RALPH_TEST";
const value = (): string => `${process.pid}-${Math.random().toString(36).slice(2)}`;

/** A shell that is ready: it has printed a line. */
async function shell(script: string, env: Readonly<Record<string, string>>): Promise<ChildProcess> {
  const child = spawn("sh", ["-c", script], {
    env: { PATH: process.env["PATH"], ...env },
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
  });
  onTestFinished(() => void endGroup(child.pid as number));
  await once(child.stdout as NodeJS.ReadableStream, "data");
  return child;
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has already ended.
  }
}

const marked = (mark: string): number =>
  pickMarked(listProcesses(`${NAME}=${mark}`), process.pid).length;

describe.runIf(process.platform === "linux")("a sweep", () => {
  it("ends every process with the mark, in any session, and no other", async () => {
    const mark = value();
    const own = await shell("setsid sleep 100 & (nohup sleep 100 >/dev/null 2>&1 &) ; echo; wait", {
      [NAME]: mark,
    });
    const other = await shell("echo; exec sleep 100", { [NAME]: `${mark}0` });
    const ended = once(own, "exit");
    expect(await sweepMark(NAME, mark)).toBeGreaterThanOrEqual(3);
    await ended;
    expect(marked(mark)).toBe(0);
    expect(marked(`${mark}0`)).toBe(1);
    expect(other.exitCode).toBeNull();
  });

  it("ends what such a process has started without the mark", async () => {
    const mark = value();
    await shell("env -i sleep 100 & echo; wait", { [NAME]: mark });
    expect(marked(mark)).toBe(2);
    expect(await sweepMark(NAME, mark)).toBe(2);
  });

  it("catches up with a process that goes on forking", async () => {
    const mark = value();
    const file = join(tmpdir(), `hops-${mark}`);
    await shell('echo; sh -c "$HOP"', {
      [NAME]: mark,
      FILE: file,
      // It would end by itself, but not before the test does.
      N: "1000",
      HOP: 'echo >> "$FILE"; sleep 0.01; export N=$((N - 1)); [ $N = 0 ] || (setsid sh -c "$HOP" &)',
    });
    expect(await sweepMark(NAME, mark)).toBeGreaterThan(0);
    const hops = (): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    const before = hops();
    await delay(500);
    expect(hops()).toBe(before);
  });

  it("finds nothing if there is nothing", async () => {
    expect(await sweepMark(NAME, value())).toBe(0);
  });
});

describe("who is swept", () => {
  const seen = (pid: number, parent: number, isMarked = false) => ({
    pid,
    parent,
    began: "",
    isMarked,
  });

  it("is never the sweeper, nor its ancestors", () => {
    const all = [seen(1, 0), seen(5, 1, true), seen(6, 5, true), seen(7, 6, true), seen(8, 7)];
    // 6 is the sweeper, 5 its parent, 7 its child.
    expect(pickMarked(all, 6).map(({ pid }) => pid)).toEqual([7, 8]);
    // The sweeper's children do not belong to its ancestors' runs.
    expect(pickMarked([seen(5, 0, true), seen(6, 5), seen(7, 6)], 6)).toEqual([]);
  });

  it("terminates even if processes seem to be each other's parents", () => {
    expect(pickMarked([seen(3, 4), seen(4, 3, true)], 1).length).toBe(2);
  });
});

it.each([
  ["A=1\0X=y\0B=2\0", true],
  ["X=y\0", true],
  ["X=y", true],
  ["X=yy\0", false],
  ["WX=y\0", false],
  ["", false],
])("a variable in %j", (environ, is) => {
  expect(hasVariable(Buffer.from(environ), "X=y")).toBe(is);
});

it("reads what ps prints on a Mac", () => {
  const text = [
    "    1     0 Ss   /sbin/launchd",
    "  501     1 S    sleep 100 PATH=/bin X=y HOME=/",
    "  502   501 S+   sleep 100 X=yy",
    "  503   501 Z    (sleep)",
  ].join("\n");
  expect(readPs(text, "X=y")).toEqual([
    { pid: 1, parent: 0, began: "", isMarked: false },
    { pid: 501, parent: 1, began: "", isMarked: true },
    { pid: 502, parent: 501, began: "", isMarked: false },
  ]);
});
