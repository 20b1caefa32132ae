import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { startBeside } from "../../exec/start.ts";
import { RUN_MARK, sweepMark } from "./sweep.ts";

export interface Guard {
  /** Call when the run is over and has done its own sweep. */
  end(): void;
}

/** A process shows its live view on standard output, which the guard gives back if it is killed. */
export interface GuardedScreen {
  /** What to do then: the command that continues the run, or shows it again. */
  readonly told: string;
  /** Has something done when the process exits by itself. */
  readonly onExit: (work: () => void) => void;
}

const DISMISSED = "end\n";
/** The runner exits by itself and has given the terminal back. */
const LEFT = "exit";

/** A child that was being started when the runner died may not carry the mark yet. */
const LATE_MS = 300;

/**
 * A small process that outlives the runner: if the runner is killed, even with -9, the guard ends the run's agents. It
 * holds the other end of a pipe and does nothing until the pipe closes. `script` calls `keepGuard` with the mark it is
 * given; without one, as for `watch`, there is only a screen. `passing`: a folder that is not to outlive the runner. The guard carries no mark, and has its own session, so that killing the runner's group does not reach it.
 */
export function startGuard(
  mark: string,
  script: string,
  screen?: GuardedScreen,
  passing = "",
): Guard {
  // Without a guard, leftover agents live until the next start, which sweeps too.
  const { pipe } = startBeside(
    process.execPath,
    [script, mark, passing, ...(screen ? [screen.told] : [])],
    { SYSTEMROOT: process.env["SYSTEMROOT"] },
    screen === undefined ? "ignore" : "inherit",
  );
  screen?.onExit(() => void pipe?.write(LEFT));
  return { end: () => void pipe?.end(DISMISSED) };
}

/**
 * Runs in the guard's process. `restore` gives the terminal back that a killed runner has left as it was. Returns
 * whether the runner has left its own cleaning up to the guard.
 */
export async function keepGuard(
  mark: string,
  pipe: Readable,
  restore: () => void = () => {},
): Promise<boolean> {
  let word = "";
  try {
    for await (const chunk of pipe) word = `${word}${String(chunk)}`.slice(0, DISMISSED.length);
  } catch {
    // A broken pipe counts as closed.
  }
  if (word === DISMISSED) return false;
  if (word !== LEFT) restore();
  if (mark === "") return true;
  await sweepMark(RUN_MARK, mark);
  await delay(LATE_MS);
  await sweepMark(RUN_MARK, mark);
  return true;
}
