import { closeSync, fstatSync, lstatSync, openSync, type Stats, writeSync } from "node:fs";
import { codeOf, faultIn, FileFault, onFile, readText } from "./read.ts";
import { sleep } from "./sleep.ts";
import { insist, removeFile } from "./write.ts";

/** Holders do a few small writes: one that is older than this is dead, wherever it ran. */
const STALE_MS = 30_000;
/** A lock younger than this counts as alive: it may be of another machine, or be written this moment. */
export const YOUNG_MS = 2000;
const WAIT_MS = 10_000;

/** Runs `work` while no other hook or command writes to the same spec. */
export function withLock<T>(path: string, work: () => T, waitMs: number = WAIT_MS): T {
  const own = acquire(path, waitMs);
  try {
    return work();
  } finally {
    // A process that slept for so long that it was taken for dead must not remove its successor's lock. What is done
    // is done even if the lock stays: in a moment it is a dead process's, and whoever wants it takes it away.
    faultIn(() => {
      if (tokenAt(path) === own) removeFile(path);
    });
  }
}

function acquire(path: string, waitMs: number): string {
  const deadline = Date.now() + waitMs;
  for (let pause = 2; ; pause = Math.min(pause * 2, 50)) {
    const own = create(path);
    if (own !== undefined) return own;
    const seen = holderOf(path);
    if (seen !== undefined && isDead(seen) && takeAway(path, seen)) continue;
    if (Date.now() > deadline) {
      throw new FileFault(path, `process ${seen?.pid ?? "?"} holds it; remove it if that is gone`);
    }
    sleep(pause + Math.random() * pause);
  }
}

/** The new lock's token, or nothing if there is a lock already. */
function create(path: string): string | undefined {
  let fd: number;
  try {
    fd = insist(() => openSync(path, "wx"));
  } catch (error) {
    if (codeOf(error) === "EEXIST") return undefined;
    throw error;
  }
  try {
    writeSync(fd, `${process.pid}\n`);
    const own = tokenOf(fstatSync(fd));
    // Gone, if we slept between the two calls and were taken for dead.
    return tokenAt(path) === own ? own : undefined;
  } catch (error) {
    removeFile(path);
    throw onFile(path, error);
  } finally {
    closeSync(fd);
  }
}

interface Holder {
  readonly pid: number;
  readonly age: number;
  readonly token: string;
}

/** Differs between any two lock files, even of one process. */
const tokenOf = (stat: Stats): string => `${stat.ino}-${stat.mtimeMs}`;

function tokenAt(path: string): string | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat === undefined ? undefined : tokenOf(stat);
}

function holderOf(path: string): Holder | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  const file = readText(path, 1 << 10);
  return {
    // Half of a number may be that of some live process: only a whole line counts.
    pid:
      file.kind === "ok" && file.text.endsWith("\n") ? Number.parseInt(file.text, 10) : Number.NaN,
    age: Date.now() - stat.mtimeMs,
    token: tokenOf(stat),
  };
}

function isDead({ pid, age }: Holder): boolean {
  // A time in the future comes from a clock that was put back, or from a file server's.
  return age > STALE_MS || (Math.abs(age) > YOUNG_MS && !(pid > 0 && isAlive(pid)));
}

export function isAlive(pid: number): boolean {
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
  if (create(guard) === undefined) {
    removeIfDead(guard);
    return false;
  }
  try {
    const now = holderOf(path);
    if (now?.token === seen.token && isDead(now)) removeFile(path);
    return true;
  } finally {
    removeFile(guard);
  }
}

/** For a guard: of those that wait for one, none does anything but to look again once it is gone. */
export function removeIfDead(path: string): void {
  const holder = holderOf(path);
  if (holder !== undefined && isDead(holder)) removeFile(path);
}
