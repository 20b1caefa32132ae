import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { enclosed, itEncloses } from "../../test/support/namespace.ts";
import { EXIT_0 } from "../tasks/verify/expectation.ts";
import { signalGroup } from "./end-group.ts";
import { makeLocalRunner } from "./local-runner.ts";
import { describeProcesses, openNamespace, planNamespace } from "./namespace.ts";
import { openSandbox, wrapperFor } from "./sandbox.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "smart-ralph-namespace-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const works = () => ({ ok: true, said: "" });

it("is tried once: as root, and for others with a user namespace in which they stay who they are", () => {
  const tried: (readonly string[])[] = [];
  const attempt = (command: readonly string[]) => (tried.push(command), works());
  for (const uid of [0, 1000]) {
    const namespace = openNamespace(true, attempt, "linux", uid);
    expect(describeProcesses(namespace)).toBe("own PID namespace");
  }
  expect(tried.map((line) => line.includes("--map-current-user"))).toEqual([false, true]);
  for (const line of tried)
    expect(line).toEqual(expect.arrayContaining(["--pid", "--fork", "--kill-child"]));
});

it.each([
  ["it is not there", "spawnSync unshare ENOENT", "unshare is not installed"],
  ["it is not allowed", "unshare: unshare failed: EPERM", "unshare: unshare failed: EPERM"],
  ["it says nothing", "", "unshare fails here"],
])("a search replaces it if %s, and the reason is told", (_, said, why) => {
  const namespace = openNamespace(true, () => ({ ok: false, said }), "linux");
  expect(describeProcesses(namespace)).toBe(`found by search (${why})`);
});

it("a search replaces it on other systems, and if the user wants it", () => {
  const never = () => expect.fail("nothing is tried");
  expect(openNamespace(true, never, "darwin")).toMatchObject({ kind: "none", why: /Linux/ });
  expect(openNamespace(false, never, "linux")).toEqual({ kind: "none", why: "run_namespace: off" });
});

/** Sleeps this long and no other process does: the only way to find one without environment and folder. */
const unique = (): string => `9${process.pid}.${Math.random().toString().slice(2, 10)}`;
const sleepers = (time: string): string[] =>
  readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && commandOf(pid) === `sleep\0${time}\0`);
const commandOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
};
const escape = (time: string): string => `(cd /; env -i setsid sleep ${time} >/dev/null 2>&1 &)`;
const endSleepers = (time: string): void =>
  onTestFinished(() => {
    for (const pid of sleepers(time)) process.kill(Number(pid), "SIGKILL");
  });

const runner = makeLocalRunner({ wrap: () => enclosed });
const verify = (command: string, timeoutMs = 20_000, signal = new AbortController().signal) =>
  runner.run({ command, expects: EXIT_0 }, { root: folder, commit: "c", timeoutMs, signal });

itEncloses(
  "nothing that a Verify starts outlives it, at its end, its timeout or an abort",
  async () => {
    const [ended, late, aborted] = [unique(), unique(), unique()];
    for (const time of [ended, late, aborted]) endSleepers(time);
    expect(await verify(`${escape(ended)}; sleep 0.2; echo ok`)).toMatchObject({
      outcome: "passed",
      tail: "ok",
    });
    // At once: nothing is given a moment to end.
    expect(sleepers(ended)).toEqual([]);
    expect(await verify(`${escape(late)}; sleep 60`, 500)).toMatchObject({ outcome: "timed-out" });
    expect(sleepers(late)).toEqual([]);
    const stop = new AbortController();
    const running = verify(`${escape(aborted)}; touch begun; sleep 60`, 20_000, stop.signal);
    while (!existsSync(join(folder, "begun"))) await delay(10);
    stop.abort(new Error("enough"));
    await expect(running).rejects.toThrow("enough");
    expect(sleepers(aborted)).toEqual([]);
  },
);

itEncloses("the exit code and the output are the command's own", async () => {
  expect(await verify("exit 3")).toMatchObject({ outcome: "failed", exitCode: 3, tail: "" });
  const missing = await verify("no-such-program-anywhere");
  expect(missing).toMatchObject({ exitCode: 127, tail: expect.stringMatching("not found$") });
  // As every shell reports a signal.
  expect(await verify("kill -9 $$")).toMatchObject({ outcome: "failed", exitCode: 137 });
  expect(await verify("kill -TERM $$")).toMatchObject({ outcome: "failed", exitCode: 143 });
});

itEncloses("what has lost its parent is reaped", async () => {
  const script = "p=$(sh -c 'sleep 0.1 >/dev/null & echo $!'); sleep 0.5; ! kill -0 $p 2>/dev/null";
  expect(await verify(script)).toMatchObject({ outcome: "passed" });
});

itEncloses("only its own processes are there to be seen, and to be killed", async () => {
  const look = `! kill -0 ${process.pid} 2>/dev/null; test $(ls /proc | grep -c '^[0-9]') -lt 10`;
  expect(await verify(look)).toMatchObject({ outcome: "passed" });
});

function start(script: string): ChildProcess {
  const [file = "", ...args] = enclosed(["/bin/sh", "-c", script]);
  const child = spawn(file, args, { cwd: folder, detached: true, stdio: "ignore" });
  onTestFinished(() => signalGroup(child, "SIGKILL"));
  return child;
}
const endOf = (child: ChildProcess): Promise<unknown> =>
  new Promise((resolve) => child.once("exit", (code, signal) => resolve(code ?? signal)));

itEncloses("SIGTERM reaches a program that does not handle it, and one that does", async () => {
  const plain = start("touch plain; exec sleep 60");
  const polite = start("trap 'exit 9' TERM; touch polite; while :; do sleep 0.1; done");
  const ends = [plain, polite].map(endOf);
  while (!["plain", "polite"].every((name) => existsSync(join(folder, name)))) await delay(10);
  signalGroup(plain, "SIGTERM");
  signalGroup(polite, "SIGTERM");
  expect(await Promise.all(ends)).toEqual([143, 9]);
});

itEncloses("everything in it ends if the process outside is killed", async () => {
  const time = unique();
  endSleepers(time);
  const child = start(`${escape(time)}; sleep 60`);
  while (sleepers(time).length === 0) await delay(10);
  child.kill("SIGKILL");
  await endOf(child);
  for (let look = 0; look < 100 && sleepers(time).length > 0; look++) await delay(20);
  expect(sleepers(time)).toEqual([]);
});

const bwrap =
  process.platform === "linux"
    ? openSandbox("bwrap", { network: true, image: undefined })
    : undefined;
const hasBwrap = bwrap?.kind === "ok" && bwrap.sandbox.ownPids;
const noBwrap = hasBwrap ? "" : " (skipped: no bwrap with PID namespaces here)";

it.runIf(hasBwrap)(
  `bwrap does the same, so it needs no other namespace around it${noBwrap}`,
  async () => {
    if (bwrap?.kind !== "ok") return;
    const place = { cwd: folder, home: folder, writable: [], readOnly: [], readable: [] };
    const boxed = makeLocalRunner({ wrap: () => wrapperFor(bwrap.sandbox, place) });
    const options = { root: folder, commit: "c", timeoutMs: 1500 };
    for (const rest of ["echo ok", "sleep 60"]) {
      const time = unique();
      endSleepers(time);
      await boxed.run({ command: `${escape(time)}; sleep 0.2; ${rest}`, expects: EXIT_0 }, options);
      for (let look = 0; look < 100 && sleepers(time).length > 0; look++) await delay(20);
      expect(sleepers(time)).toEqual([]);
    }
  },
);

it("the command line keeps its words", () => {
  const words = ["/bin/echo", "a b", "", "$(x)", "--", "'\"\n"];
  expect(planNamespace("/usr/bin/unshare", true)(words).slice(-words.length)).toEqual(words);
});

itEncloses("even root has no other /proc than that of its namespace", async () => {
  const { tail } = await verify("umount /proc 2>/dev/null; ls /proc | grep -c '^[0-9]'; true");
  // The first process, and what runs this.
  expect(Number(tail)).toBeLessThan(10);
});
