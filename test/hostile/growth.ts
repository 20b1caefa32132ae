import { Script } from "node:vm";

/** As long as one input may take before it counts as endless. Nothing that is well takes a hundredth of it. */
const CAP_MS = 5000;

const call = new Script("globalThis.hostileJob()");

/** Runs it, but not for ever: what does not end by itself is ended, and that is an error. */
export function runCapped<T>(job: () => T, timeout = CAP_MS): T {
  (globalThis as { hostileJob?: () => T }).hostileJob = job;
  return call.runInThisContext({ timeout }) as T;
}

/** What takes longer than this for 50,000 characters need not be measured to its end. */
const ENOUGH_MS = 1500;

function measure(job: () => void): number {
  const start = performance.now();
  try {
    runCapped(job, ENOUGH_MS);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return Infinity;
    throw error;
  }
  return performance.now() - start;
}

/** The best of a few: a busy machine makes things slower, never faster. */
const least = (times: number, job: () => void): number =>
  Math.min(...Array.from({ length: times }, () => measure(job)));

/** Milliseconds for 4,000 characters that make a second look worth while. What is linear takes a tenth. */
const SUSPECT_MS = 1;
/** Milliseconds for 50,000 characters below which nobody would notice. */
const HARMLESS_MS = 100;
const LONG = 50_000;

/**
 * How long a job of growing input takes at 50,000 characters, if that grows faster than the input: four times the input
 * takes four times as long where it is linear, sixteen times where it is quadratic. Half-way is the line, and it has to
 * be crossed twice, because a busy machine may make one of two measurements long.
 */
export function findGrowth(job: (length: number) => () => void): number | undefined {
  const first = measure(job(LONG / 12.5));
  if (first === Infinity) return first;
  if (first < SUSPECT_MS || least(3, job(LONG / 12.5)) < SUSPECT_MS) return undefined;
  const long = least(2, job(LONG));
  if (long === Infinity) return long;
  const isSteep = long > HARMLESS_MS && long > 8 * least(2, job(LONG / 4));
  return isSteep && least(2, job(LONG * 4)) > 8 * long ? long : undefined;
}
