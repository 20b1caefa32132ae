import { readFileSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { codeOf } from "./read.ts";
import { sleep } from "./sleep.ts";
import { removeFile } from "./write.ts";

/** Holders do a few small writes: one that is older than this is dead, wherever it ran. */
const STALE_MS = 30_000;
const WAIT_MS = 10_000;

/** Runs `work` while no other hook or command writes to the same spec. */
export function withLock<T>(path: string, work: () => T): T {
  acquire(path);
  try {
    return work();
  } finally {
    removeFile(path);
  }
}

function acquire(path: string): void {
  const deadline = Date.now() + WAIT_MS;
  for (let pause = 2; !create(path); pause = Math.min(pause * 2, 50)) {
    const seen = holderOf(path);
    if (seen !== undefined && isDead(seen) && takeAway(path, seen)) continue;
    if (Date.now() > deadline) {
      throw new Error(`${path} is held by process ${seen?.pid ?? "?"}; remove it if that is gone`);
    }
    sleep(pause + Math.random() * pause);
  }
}

function create(path: string): boolean {
  try {
    writeFileSync(path, `${process.pid} ${hostname()}\n`, { flag: "wx" });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly age: number;
  /** Differs between any two lock files, even of one process. */
  readonly token: string;
}

function holderOf(path: string): Holder | undefined {
  try {
    const stat = statSync(path);
    const [pid, host] = readFileSync(path, "utf8").trim().split(" ");
    return {
      pid: Number(pid),
      host: host ?? "",
      age: Date.now() - stat.mtimeMs,
      token: `${stat.ino}-${Math.round(stat.mtimeMs)}`,
    };
  } catch {
    return undefined;
  }
}

function isDead({ pid, host, age }: Holder): boolean {
  if (age > STALE_MS) return true;
  // Without a name it is being written this moment, or its writer died doing so.
  if (!(pid > 0)) return age > 1000;
  return host === hostname() && !isAlive(pid);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

/**
 * Removes a dead holder's lock. Of all that see the same dead lock only one may do so: a second one, a
 * moment late, would remove the lock that a live process has made since. The guard's name decides who.
 */
function takeAway(path: string, seen: Holder): boolean {
  const guard = `${path}.${seen.token}`;
  if (!create(guard)) {
    const other = holderOf(guard);
    if (other !== undefined && isDead(other)) removeFile(guard);
    return false;
  }
  try {
    if (holderOf(path)?.token === seen.token) removeFile(path);
    return true;
  } finally {
    removeFile(guard);
  }
}
