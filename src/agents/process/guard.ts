import { spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { RUN_MARK, sweepMark } from "./sweep.ts";

export interface Guard {
  /** The run is over and has swept for itself. */
  end(): void;
}

const DISMISSED = "end\n";

/** A child that was being started when the runner died does not carry the mark yet. */
const LATE_MS = 300;

/**
 * A small process beside the runner that outlives it: if the runner is killed, even with -9, the guard ends the run's
 * agents. It holds the other end of a pipe and does nothing until that closes. `script` calls `keepGuard` with the mark
 * that it is given. It carries no mark itself, and has a session of its own, so that whatever kills the runner's group
 * does not reach it.
 */
export function startGuard(mark: string, script: string): Guard {
  const child = spawn(process.execPath, [script, mark], {
    cwd: "/",
    env: { SYSTEMROOT: process.env["SYSTEMROOT"] },
    detached: true,
    windowsHide: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  // Without it the run is as safe as the next start, which sweeps too.
  child.on("error", () => undefined);
  child.stdin.on("error", () => undefined);
  child.unref();
  (child.stdin as unknown as { unref(): void }).unref();
  return { end: () => void child.stdin.end(DISMISSED) };
}

/** What the guard's process does. */
export async function keepGuard(mark: string, pipe: Readable): Promise<void> {
  let word = "";
  try {
    for await (const chunk of pipe) word = `${word}${String(chunk)}`.slice(0, DISMISSED.length);
  } catch {
    // A broken pipe is a closed one.
  }
  if (word === DISMISSED) return;
  await sweepMark(RUN_MARK, mark);
  await delay(LATE_MS);
  await sweepMark(RUN_MARK, mark);
}
