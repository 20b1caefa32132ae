import { execFileSync, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { endOf, makeProgram, runChild, startChild } from "../../test/program/child.ts";
import { makeFolder } from "../../test/program/temporary.ts";
import { isFull } from "../../test/support/full.ts";
import { withLock, withLockAsync } from "./lock.ts";

/** `count`: read, wait a moment, write: a second holder at the same time would lose an update. */
const program = makeProgram(
  `import { readFileSync, writeFileSync } from "node:fs";
   import { withLock } from "./store/lock.ts";
   import { sleep } from "./store/read.ts";
   const [verb, lock, counter, times] = process.argv.slice(2);
   if (verb === "hold") withLock(lock, () => { writeFileSync(counter, "held"); sleep(60_000); });
   for (let i = 0; i < Number(times); i++) withLock(lock, () => {
     const value = Number(readFileSync(counter, "utf8"));
     sleep(1);
     writeFileSync(counter, String(value + 1));
   });`,
);

const DEAD_PID = 2 ** 22 + 1;

function makeCounter() {
  const folder = makeFolder();
  const counter = join(folder, "counter");
  writeFileSync(counter, "0");
  const lock = join(folder, "lock");
  return { folder, lock, counter, value: () => Number(readFileSync(counter, "utf8")) };
}

const crowd = (size: number, lock: string, counter: string, times: number) =>
  Promise.all(
    Array.from({ length: size }, () =>
      startChild(process.execPath, [program, "count", lock, counter, String(times)]),
    ),
  );

describe("withLock", () => {
  it("returns what the work returns, and releases the lock when it throws", () => {
    const { folder, lock } = makeCounter();
    expect(withLock(lock, () => 42)).toBe(42);
    expect(() =>
      withLock(lock, () => {
        throw new Error("of the work");
      }),
    ).toThrow("of the work");
    expect(readdirSync(folder)).toEqual(["counter"]);
  });

  const many = isFull ? 40 : 12;
  it(`loses no update of ${many} processes at once`, async () => {
    const { folder, lock, counter, value } = makeCounter();
    const ran = await crowd(many, lock, counter, 5);
    expect(ran.filter(({ code }) => code !== 0)).toEqual([]);
    expect(value()).toBe(5 * many);
    expect(readdirSync(folder)).toEqual(["counter"]);
  });

  it("does not wait for a holder that was killed", async () => {
    const { folder, lock, counter } = makeCounter();
    const holder = spawn(process.execPath, [program, "hold", lock, counter]);
    const ended = endOf(holder);
    while (readFileSync(counter, "utf8") !== "held") await new Promise((r) => setTimeout(r, 10));
    holder.kill("SIGKILL");
    await ended;
    expect(existsSync(lock)).toBe(true);
    expect(withLock(lock, () => "taken")).toBe("taken");
    expect(readdirSync(folder)).toEqual(["counter"]);
  });

  it("lets exactly one of many take a dead holder's lock at a time", async () => {
    const { folder, lock, counter, value } = makeCounter();
    writeFileSync(lock, `${DEAD_PID}\n`);
    const ran = await crowd(6, lock, counter, 3);
    expect(ran.filter(({ code }) => code !== 0)).toEqual([]);
    expect(value()).toBe(18);
    expect(readdirSync(folder)).toEqual(["counter"]);
  });

  it("clears away a guard whose maker died too", () => {
    const { folder, lock } = makeCounter();
    const past = new Date(Date.now() - 5000);
    writeFileSync(lock, `${DEAD_PID}\n`);
    utimesSync(lock, past, past);
    const { ino, mtimeMs } = statSync(lock);
    writeFileSync(`${lock}.${ino}-${mtimeMs}`, `${DEAD_PID}\n`);
    expect(withLock(lock, () => "taken")).toBe("taken");
    expect(readdirSync(folder)).toEqual(["counter"]);
  });

  it.each<[what: string, make: (path: string) => void, age: number]>([
    ["of a process that is gone", (path) => writeFileSync(path, `${DEAD_PID}\n`), 0],
    ["without a name, made a while ago", (path) => writeFileSync(path, ""), 2],
    ["with nonsense in it, made a while ago", (path) => writeFileSync(path, "\0\0\0"), 2],
    ["with half of a live process's number", (path) => writeFileSync(path, `${process.pid}`), 3],
    [
      "of a process that lives, but very old",
      (path) => writeFileSync(path, `${process.pid}\n`),
      31,
    ],
    ["that is a FIFO", (path) => void execFileSync("mkfifo", [path]), 2],
    ["that is a link to nowhere", (path) => symlinkSync("/nonexistent/lock", path), 0],
  ])("takes over a lock %s", (_, make, age) => {
    const { folder, lock, counter, value } = makeCounter();
    make(lock);
    const past = Date.now() / 1000 - age;
    if (age > 0) utimesSync(lock, past, past);
    const args = [program, "count", lock, counter, "1"];
    expect(runChild(process.execPath, args, { timeout: 60_000 })).toMatchObject({
      code: 0,
      err: "",
    });
    expect(value()).toBe(1);
    expect(readdirSync(folder)).toEqual(["counter"]);
  });

  it("leaves a lock alone whose maker is about to write its name", () => {
    const { lock } = makeCounter();
    writeFileSync(lock, "");
    expect(() => withLock(lock, () => 0, 20)).toThrow("holds it");
    expect(existsSync(lock)).toBe(true);
  });

  it("reports a folder in the lock's place, at once", () => {
    const { lock } = makeCounter();
    mkdirSync(lock);
    const past = Date.now() / 1000 - 2;
    utimesSync(lock, past, past);
    expect(() => withLock(lock, () => 0)).toThrow(/EISDIR|EPERM/);
  });

  it("does not remove the lock of a successor that took it for dead", () => {
    const { lock } = makeCounter();
    withLock(lock, () => {
      execFileSync("rm", [lock]);
      writeFileSync(`${lock}.new`, "1\n");
      execFileSync("mv", [`${lock}.new`, lock]);
    });
    expect(readFileSync(lock, "utf8")).toBe("1\n");
  });

  it("leaves no lock behind when the disk is full", () => {
    const { folder, lock, counter } = makeCounter();
    const script = `ulimit -f 0; exec "$0" "$@"`;
    const args = [program, "count", lock, counter, "1"];
    expect(runChild("/bin/sh", ["-c", script, process.execPath, ...args]).err).toContain("EFBIG");
    expect(readdirSync(folder)).toEqual(["counter"]);
  });

  it("waits for a live holder, and says who it is when it has waited long enough", () => {
    const { lock } = makeCounter();
    writeFileSync(lock, `${process.pid}\n`);
    const began = performance.now();
    expect(() => withLock(lock, () => 0, 200)).toThrow(
      `${lock} cannot be used: process ${process.pid} holds it`,
    );
    expect(performance.now() - began).toBeGreaterThan(200);
    expect(existsSync(lock)).toBe(true);
  });
});

describe("withLockAsync", () => {
  it("returns what the work returns, and releases the lock when it throws", async () => {
    const { folder, lock } = makeCounter();
    expect(await withLockAsync(lock, () => 42)).toBe(42);
    const fail = (): never => {
      throw new Error("of the work");
    };
    await expect(withLockAsync(lock, fail)).rejects.toThrow("of the work");
    expect(readdirSync(folder)).toEqual(["counter"]);
  });

  it("lets other work continue while it waits, and takes its turn", async () => {
    const { lock } = makeCounter();
    writeFileSync(lock, `${process.pid}\n`);
    const waiting = withLockAsync(lock, () => "taken");
    await new Promise((resolve) => setTimeout(resolve, 100));
    rmSync(lock);
    expect(await waiting).toBe("taken");
  });

  it("stops waiting when it has waited long enough, or is told to", async () => {
    const { lock } = makeCounter();
    writeFileSync(lock, `${process.pid}\n`);
    await expect(withLockAsync(lock, () => 0, { waitMs: 100 })).rejects.toThrow("holds it");
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error("enough")), 100);
    const work = vi.fn();
    const waiting = withLockAsync(lock, work, { signal: controller.signal });
    await expect(waiting).rejects.toThrow("enough");
    rmSync(lock);
    await expect(withLockAsync(lock, work, { signal: controller.signal })).rejects.toThrow();
    expect(work).not.toHaveBeenCalled();
  });
});
