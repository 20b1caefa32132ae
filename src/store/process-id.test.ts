import { type ChildProcess, spawn } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { endOf, makeProgram, startChild } from "../../test/program/child.ts";
import { makeFolder } from "../../test/program/temporary.ts";
import { enclosed, itEncloses } from "../../test/support/namespace.ts";
import { leaseFile } from "./lease.ts";
import { withLock } from "./lock.ts";
import { isRunning, ownNamespace, processName } from "./process-id.ts";
import { readProcessStart } from "./process-start.ts";

const program = makeProgram(
  `import { appendFileSync, readdirSync } from "node:fs";
   import { hasLease, holderOf, readLease } from "./store/lease.ts";
   import { isLeftFolder, removeTemporary } from "./store/leftovers.ts";
   import { withLock } from "./store/lock.ts";
   import { processName } from "./store/process-id.ts";
   import { sleep } from "./store/sleep.ts";
   import { writeWhole } from "./store/write.ts";
   const [verb, path, more, count] = process.argv.slice(2);
   if (verb === "hold") withLock(path, () => {
     appendFileSync(more, "in ");
     sleep(Number(count));
     appendFileSync(more, "out ");
   });
   if (verb === "write") for (let i = 0; i < Number(count); i++) writeWhole(path, more.repeat(50_000));
   if (verb === "clean") removeTemporary(path);
   if (verb === "left") console.log(isLeftFolder(path, ["smart-ralph-prove"]));
   if (verb === "lease") console.log(holderOf(readLease(path, more))?.run, hasLease(path, "r1"));
   if (verb === "name") console.log(processName());`,
);

const here = (...args: readonly string[]): readonly string[] => [
  process.execPath,
  program,
  ...args,
];
const inside = (...args: readonly string[]): readonly string[] => enclosed(here(...args));

function start([file = "", ...args]: readonly string[]): ChildProcess {
  const child = spawn(file, args, { stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

const say = async ([file = "", ...args]: readonly string[]): Promise<string> => {
  const { out, err } = await startChild(file, args);
  return `${out}${err}`.trim();
};

const textOf = (path: string): string => (existsSync(path) ? readFileSync(path, "utf8") : "");

async function untilIn(log: string): Promise<void> {
  while (textOf(log) !== "in ") await delay(10);
}

it("a process is known by its name", () => {
  expect(isRunning(processName())).toBe(true);
  expect(isRunning(String(process.pid))).toBe(true);
  expect(isRunning(`${2 ** 22 + 1}`)).toBe(false);
  expect(isRunning("")).toBe(false);
});

it.runIf(process.platform === "linux")("nobody here knows a process of another namespace", () => {
  expect(isRunning(`${process.pid}-1`)).toBeUndefined();
});

itEncloses(
  "the first commands of two agents have the same number and different names",
  async () => {
    const names = await Promise.all([say(inside("name")), say(inside("name"))]);
    const [one, two] = names.map((name) => name.split("-"));
    expect(one?.[0]).toBe(two?.[0]);
    expect(one?.[1]).not.toBe(ownNamespace());
  },
);

/** Longer than a dead holder's lock is left alone. */
const LONG_MS = 3000;

itEncloses(
  "a lock is not taken from a live holder, whichever namespace the two are in",
  async () => {
    const folder = makeFolder();
    const pairs = {
      "from-inside": [here, inside],
      "from-outside": [inside, here],
      both: [inside, inside],
    };
    const logs = await Promise.all(
      Object.entries(pairs).map(async ([name, [first = here, second = here]]) => {
        const [lock, log] = [join(folder, `${name}.lock`), join(folder, name)];
        const one = endOf(start(first("hold", lock, log, String(LONG_MS))));
        await untilIn(log);
        await Promise.all([one, endOf(start(second("hold", lock, log, "0")))]);
        return textOf(log);
      }),
    );
    expect(logs).toEqual(["in out in out ", "in out in out ", "in out in out "]);
  },
);

itEncloses(
  "a lock whose holder was killed with its namespace is taken while others wait",
  async () => {
    const folder = makeFolder();
    const [lock, log] = [join(folder, "lock"), join(folder, "log")];
    const holder = start(inside("hold", lock, log, "60000"));
    await untilIn(log);
    holder.kill("SIGKILL");
    await endOf(holder);
    const age = (seconds: number): void =>
      utimesSync(lock, Date.now() / 1000 - seconds, Date.now() / 1000 - seconds);
    age(5);
    expect(() => withLock(lock, () => 0, 50)).toThrow(/process \d+ holds it/);
    age(9);
    expect(withLock(lock, () => "taken", 50)).toBe("taken");
  },
);

itEncloses("two processes with the same number do not write into each other's files", async () => {
  const folder = makeFolder();
  const path = join(folder, "file");
  const writers = ["a", "b"].map((letter) =>
    startChild(...split(inside("write", path, letter, "300"))),
  );
  const all = Promise.all(writers);
  while (!(await Promise.race([all.then(() => true), delay(1, false)])))
    expect(textOf(path)).toMatch(/^(?:a{50000}|b{50000})?$/);
  expect(await all).toEqual([
    { code: 0, out: "", err: "" },
    { code: 0, out: "", err: "" },
  ]);
  expect(readdirSync(folder)).toEqual(["file"]);
});

const split = ([file = "", ...args]: readonly string[]): [string, string[]] => [file, args];

itEncloses(
  "inside, what the runner is about to rename or works in is not taken for left",
  async () => {
    const folder = makeFolder();
    const temporary = `tasks.md.${processName()}.tmp`;
    appendFileSync(join(folder, temporary), "half");
    const tree = join(folder, `smart-ralph-prove.${processName()}.abc`);
    mkdirSync(tree);
    const dead = join(folder, `smart-ralph-prove.${2 ** 22 + 1}-${ownNamespace()}.abc`);
    mkdirSync(dead);
    await delay(2100);
    expect(await say(inside("clean", folder))).toBe("");
    expect(readdirSync(folder)).toContain(temporary);
    expect(await say(inside("left", tree))).toBe("false");
    expect(await say(here("left", tree))).toBe("false");
    expect(await say(here("left", dead))).toBe("true");
  },
);

itEncloses("inside, the run is at work as long as its lease beats", async () => {
  const vault = makeFolder();
  const folder = "/somewhere";
  const worker = {
    run: "r1",
    pid: process.pid,
    processStart: readProcessStart(process.pid) ?? null,
    machine: hostname(),
    namespace: ownNamespace(),
  };
  mkdirSync(join(vault, "leases"));
  const beatAt = (ms: number): void =>
    writeFileSync(
      leaseFile(vault, folder),
      JSON.stringify({ unit: "", fence: 1, worker, beat: new Date(Date.now() - ms).toISOString() }),
    );
  beatAt(60_000);
  expect(await say(inside("lease", vault, folder))).toBe("r1 true");
  beatAt(130_000);
  expect(await say(inside("lease", vault, folder))).toBe("undefined false");
  // Here its process tells, however late it beats.
  expect(await say(here("lease", vault, folder))).toBe("r1 true");
});
