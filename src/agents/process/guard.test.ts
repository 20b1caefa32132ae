import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { build } from "esbuild";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { listProcesses } from "./processes.ts";
import { pickMarked, RUN_MARK, sweepMark } from "./sweep.ts";

const folder = mkdtempSync(join(tmpdir(), "guard-"));
const script = join(folder, "guard.cjs");
const runner = join(folder, "runner.cjs");

/** A runner with an agent: a shell in its own session, with a child in another. */
const RUNNER = `
  import { spawn } from "node:child_process";
  import { startGuard } from ${JSON.stringify(join(import.meta.dirname, "guard.ts"))};
  const [, , mark, script] = process.argv;
  const guard = startGuard(mark, script);
  const agent = spawn("sh", ["-c", "setsid sleep 1000 & echo ready; wait"], {
    env: { PATH: process.env.PATH, ${RUN_MARK}: mark },
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
  });
  agent.stdout.once("data", () => console.log("ready"));
  process.stdin.once("data", () => {
    guard.end();
    process.kill(-agent.pid, "SIGKILL");
    process.exit(0);
  });
`;

beforeAll(async () => {
  const options = { bundle: true, platform: "node", format: "cjs", logLevel: "error" } as const;
  await build({ ...options, entryPoints: ["src/apps/guard/main.ts"], outfile: script });
  const stdin = { contents: RUNNER, resolveDir: folder, loader: "ts" } as const;
  await build({ ...options, stdin, outfile: runner });
});

async function startRunner(mark: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [runner, mark, script], {
    env: { PATH: process.env["PATH"] },
    detached: true,
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await sweepMark(RUN_MARK, mark);
  });
  await once(child.stdout as NodeJS.ReadableStream, "data");
  return child;
}

const agents = (mark: string): number[] =>
  pickMarked(listProcesses(`${RUN_MARK}=${mark}`), process.pid).map(({ pid }) => pid);

const guards = (mark: string): number[] =>
  listProcesses("")
    .map(({ pid }) => pid)
    .filter(
      (pid) => commandOf(pid).includes(`${script}\0${mark}\0`) && !commandOf(pid).includes(runner),
    );

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

/** Bounded by the test's timeout. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await delay(20);
}

describe.runIf(process.platform === "linux")("the guard of a run", () => {
  it("ends the agents when the runner and its whole group are killed, then itself", async () => {
    const mark = `guard-a-${process.pid}`;
    const child = await startRunner(mark);
    await until(() => agents(mark).length >= 2 && guards(mark).length === 1);
    process.kill(-(child.pid as number), "SIGKILL");
    await until(() => agents(mark).length === 0);
    await until(() => guards(mark).length === 0);
  });

  it("ends at once with a run that ends well, and leaves sweeping to it", async () => {
    const mark = `guard-b-${process.pid}`;
    const child = await startRunner(mark);
    await until(() => guards(mark).length === 1);
    child.stdin?.write("end\n");
    await once(child, "exit");
    await until(() => guards(mark).length === 0);
    // The child in its own session is left: this test's runner does not sweep.
    expect(agents(mark).length).toBe(1);
  });

  it("carries no mark", async () => {
    const mark = `guard-c-${process.pid}`;
    const child = await startRunner(mark);
    await until(() => guards(mark).length === 1);
    expect(agents(mark)).not.toContain(guards(mark)[0]);
    child.kill("SIGKILL");
    await until(() => agents(mark).length === 0 && guards(mark).length === 0);
  });
});
