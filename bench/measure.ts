import { spawnSync } from "node:child_process";
import { dirname } from "node:path";
import { progress } from "./report.ts";

/** Something to run, and how to know that it did what is being timed. */
export interface Case {
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Puts everything back, so that every round runs the same way. */
  readonly before?: () => void;
  /** What standard output must look like. */
  readonly says?: RegExp;
  /** Only in each nth round: for what takes long. */
  readonly every?: number;
}

/** What everything is compared with: starting node with nothing to do, and without a shell. */
const bareNode = (cwd: string): Case => ({
  name: "node -e 0",
  file: process.execPath,
  args: ["-e", "0"],
  cwd,
});

/** Without the user's own settings: options for node or extra certificates slow down both sides, unequally. */
export const cleanEnv = (home: string): Record<string, string> => ({
  PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? "/usr/bin:/bin"}`,
  HOME: home,
  // Numbers with a point.
  LC_ALL: "C",
});

/** Wall time is what people wait for; processor time hardly changes when the machine is busy. */
interface Time {
  readonly wall: number;
  readonly cpu: number;
}

export interface Times {
  /** Milliseconds, by the name of the case. */
  readonly wall: (name: string) => number;
  readonly cpu: (name: string) => number;
  /** The same as multiples of a bare node's start. */
  readonly wallRatio: (name: string) => number;
  readonly cpuRatio: (name: string) => number;
}

/**
 * Runs the cases in turn, so that a busy machine slows them all alike, and each round begins with another case. The
 * least disturbed runs count: the lower quartile of wall times, and the mean of the lower half of processor times, which
 * come in whole milliseconds.
 */
export function measure(what: string, cases: readonly Case[], rounds: number, home: string): Times {
  const bare = bareNode(home);
  const all = [bare, ...cases];
  const times = new Map<string, Time[]>(all.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    progress(what, round, rounds);
    for (let i = 0; i < all.length; i++) {
      const one = all[(i + round) % all.length] as Case;
      if (round % (one.every ?? 1) === 0) times.get(one.name)?.push(timeOf(one, home));
    }
  }
  progress(what, rounds, rounds);
  const wall = (name: string): number =>
    lowerQuartile((times.get(name) ?? []).map((time) => time.wall));
  const cpu = (name: string): number => lowerMean((times.get(name) ?? []).map((time) => time.cpu));
  return {
    wall,
    cpu,
    wallRatio: (name) => wall(name) / wall(bare.name),
    cpuRatio: (name) => cpu(name) / cpu(bare.name),
  };
}

/** Starts the case from a small process, as a large one would take longer to fork, and prints the times. */
const TIMER = `TIMEFORMAT='%U %S'; began=$EPOCHREALTIME
{ time "$@" 2>/dev/null; }
status=$?; echo "$began $EPOCHREALTIME" >&2; exit $status`;

export function timeOf(one: Case, home: string): Time {
  one.before?.();
  const began = performance.now();
  const ran = spawnSync("bash", ["-c", TIMER, "bench", one.file, ...one.args], {
    cwd: one.cwd,
    input: one.input ?? "",
    encoding: "utf8",
    env: { ...cleanEnv(home), ...one.env },
  });
  const outside = performance.now() - began;
  // The gate may exit before all of its input is written.
  if (ran.error !== undefined && (ran.error as NodeJS.ErrnoException).code !== "EPIPE")
    throw ran.error;
  if (one.says !== undefined && !one.says.test(ran.stdout)) {
    const shown = ran.stdout.slice(0, 400);
    throw new Error(`${one.name} did not answer ${one.says} (exit ${ran.status}): ${shown}`);
  }
  const [user = 0, system = 0, from, to] = ran.stderr.trim().split(/\s+/).slice(-4).map(Number);
  return {
    cpu: (user + system) * 1000,
    // Before version 5 bash has no clock.
    wall: from === undefined || to === undefined ? outside : (to - from) * 1000,
  };
}

const sorted = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);

const lowerQuartile = (values: readonly number[]): number =>
  sorted(values)[Math.floor((values.length - 1) / 4)] ?? Number.NaN;

function lowerMean(values: readonly number[]): number {
  const lower = sorted(values).slice(0, Math.ceil(values.length / 2));
  return lower.reduce((sum, value) => sum + value, 0) / lower.length;
}
