import { Script } from "node:vm";

/** As long as one input may take before it counts as endless. Nothing that is well takes a hundredth of it. */
const CAP_MS = 5000;

const call = new Script("globalThis.hostileJob()");

/** Runs it, but not forever: what does not end on its own is ended, and that is an error. */
export function runCapped<T>(job: () => T, timeout = CAP_MS): T {
  (globalThis as { hostileJob?: () => T }).hostileJob = job;
  return call.runInThisContext({ timeout }) as T;
}

/** What takes more work than this for 50,000 characters need not be measured to its end. */
const ENOUGH_MS = 1500;

/** Milliseconds of work, not of waiting: on a busy machine the one says nothing about the other. */
function measure(job: () => void): number {
  for (let timeout = ENOUGH_MS; ; timeout *= 4) {
    const before = process.cpuUsage();
    const isOver = endsWithin(job, timeout);
    const { user, system } = process.cpuUsage(before);
    const work = (user + system) / 1000;
    if (isOver) return work;
    if (work > ENOUGH_MS / 2) return Infinity;
  }
}

function endsWithin(job: () => void, timeout: number): boolean {
  try {
    runCapped(job, timeout);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    return false;
  }
}

/** The best of three: others on the machine make things slower, never faster. */
const least = (job: () => void): number => Math.min(measure(job), measure(job), measure(job));

/** Milliseconds for 4,000 characters that make a second look worth while. What is linear takes a tenth. */
const SUSPECT_MS = 1;
/** Milliseconds for 50,000 characters below which nobody would notice. */
const HARMLESS_MS = 100;
const LONG = 50_000;

/**
 * How long a job of growing input takes at 50,000 characters, if that grows faster than the input: four times the input
 * takes four times as long where it is linear, sixteen times where it is quadratic. Half-way is the line.
 */
export function findGrowth(job: (length: number) => () => void): number | undefined {
  const first = measure(job(LONG / 12.5));
  if (first === Infinity) return first;
  if (first < SUSPECT_MS || least(job(LONG / 12.5)) < SUSPECT_MS) return undefined;
  const long = measure(job(LONG));
  if (long === Infinity) return long;
  const best = Math.min(long, least(job(LONG)));
  return best > HARMLESS_MS && best > 8 * least(job(LONG / 4)) ? best : undefined;
}
