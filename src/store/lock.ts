import { closeSync, fstatSync, lstatSync, openSync, type Stats, writeSync } from "node:fs";
import { isRunning, PROCESS_NAME, processName } from "./process-id.ts";
import { codeOf, faultIn, FileFault, readText, sleep, withPath } from "./read.ts";
import { retryIfBusy, removeFile } from "./write.ts";

/** Holders do a few small writes: one older than this is dead, wherever it ran. */
const STALE_MS = 30_000;
/** A lock younger than this counts as alive: it may be another machine's, or still being written. */
export const YOUNG_MS = 2000;
/** Shorter than others wait: whether a holder in another PID namespace was killed, only its age can tell. */
const ELSEWHERE_MS = 8000;
const WAIT_MS = 10_000;

/** Runs `work` while no other hook or command writes to the same spec. */
export function withLock<T>(path: string, work: () => T, waitMs: number = WAIT_MS): T {
  const attempts = acquire(path, waitMs);
  let attempt = attempts.next();
  for (; attempt.done !== true; attempt = attempts.next()) sleep(attempt.value);
  return holdLock(path, attempt.value, work);
}

/** The same, but other work continues while this waits. `work` itself blocks: a lock is never held for long. */
export async function withLockAsync<T>(
  path: string,
  work: () => T,
  { waitMs = WAIT_MS, signal }: { waitMs?: number; signal?: AbortSignal } = {},
): Promise<T> {
  signal?.throwIfAborted();
  const attempts = acquire(path, waitMs);
  let attempt = attempts.next();
  for (; attempt.done !== true; attempt = attempts.next()) {
    const pauseMs = attempt.value;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    signal?.throwIfAborted();
  }
  return holdLock(path, attempt.value, work);
}

function holdLock<T>(path: string, own: string, work: () => T): T {
  try {
    return work();
  } finally {
    // A process that slept so long that it was taken for dead must not remove its successor's lock. If the lock cannot
    // be removed, the work is still done: soon it is a dead process's lock, and the next one takes it over.
    faultIn(() => {
      if (tokenAt(path) === own) removeFile(path);
    });
  }
}

/** Yields how long to wait before each further attempt, and returns the token of the lock that it made. */
function* acquire(path: string, waitMs: number): Generator<number, string> {
  const deadline = Date.now() + waitMs;
  for (let pause = 2; ; pause = Math.min(pause * 2, 50)) {
    const own = create(path);
    if (own !== undefined) return own;
    const seen = holderOf(path);
    if (seen !== undefined && isDead(seen) && takeAway(path, seen)) continue;
    if (Date.now() > deadline) {
      throw new FileFault(
        path,
        `process ${seen?.name.split("-")[0] || "?"} holds it; remove it if that is gone`,
      );
    }
    yield pause + Math.random() * pause;
  }
}

/** The new lock's token, or nothing if there is a lock already. */
function create(path: string): string | undefined {
  let fd: number;
  try {
    fd = retryIfBusy(() => openSync(path, "wx"));
  } catch (error) {
    if (codeOf(error) === "EEXIST") return undefined;
    throw error;
  }
  try {
    writeSync(fd, `${processName()}\n`);
    const own = tokenOf(fstatSync(fd));
    // The file is gone if we slept between the two calls and were taken for dead.
    return tokenAt(path) === own ? own : undefined;
  } catch (error) {
    removeFile(path);
    throw withPath(path, error);
  } finally {
    closeSync(fd);
  }
}

const LINE = new RegExp(`^(${PROCESS_NAME})\n$`);

interface Holder {
  /** Empty if it is not known. */
  readonly name: string;
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
    // Half of a number may be some live process's number: only a whole line counts.
    name: file.kind === "ok" ? (LINE.exec(file.text)?.[1] ?? "") : "",
    age: Date.now() - stat.mtimeMs,
    token: tokenOf(stat),
  };
}

/** Whether whoever made a file has died before removing it. */
export function isDead({ name, age }: Pick<Holder, "name" | "age">): boolean {
  const isAlive = isRunning(name);
  if (isAlive === true) return age > STALE_MS;
  // A time in the future means that a clock was set back, or that it is a file server's.
  return Math.abs(age) > (isAlive === undefined ? ELSEWHERE_MS : YOUNG_MS);
}

/**
 * Removes a dead holder's lock. Of all processes that see the same dead lock only one may do so: a second one, a moment
 * late, would remove the lock that a live process has made since. Whoever creates the guard file may.
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

/** For a guard: those that wait for one only look again once it is gone. */
export function removeIfDead(path: string): void {
  const holder = holderOf(path);
  if (holder !== undefined && isDead(holder)) removeFile(path);
}
