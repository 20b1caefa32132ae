import { type Exit, type Running, type Start, startProgram } from "../../exec/start.ts";
import type { StopReason, Work } from "../port.ts";
import { setDeadlines } from "./deadlines.ts";
import { endAgent, type Ladder } from "./ladder.ts";
import { ATTEMPT_MARK, sweepMark } from "./sweep.ts";

/** How to start an agent's process. */
export interface Launch extends Pick<Start, "input"> {
  readonly command: readonly string[];
  /** Added to the environment of the work. */
  readonly env?: Readonly<Record<string, string>>;
  readonly onLine: (line: string) => void;
}

export interface SupervisedLaunch extends Launch {
  /** The agent's own way to be told to stop, if it has one. */
  readonly cancel?: () => void;
  /** Output does not count as a sign of life: the driver calls `alive`. */
  readonly ownSigns?: true;
}

export interface Supervised {
  readonly running: Running;
  /** Reports a sign of life. Output counts as one by itself, unless `ownSigns` is set. */
  alive(): void;
  /** The agent has reported its result: it gets a moment to exit by itself, and is then ended. */
  windDown(): void;
  /** Settles when none of its processes is left. Never rejects. */
  readonly end: Promise<End>;
}

export interface End {
  readonly exit: Exit;
  /** Why we ended it, unless it was over already. */
  readonly by?: StoppedBy;
  /** How many processes it left behind. */
  readonly swept: number;
}

export type StoppedBy = StopReason | "wall" | "silence";

/** How long a finished agent may take to exit. Most exit at once. */
const OVER_MS = 1000;

/** Not even SIGKILL has ended it, for example because it waits for a dead disk. */
const STUCK: Exit = { code: null, signal: "SIGKILL", stderr: "" };

/** Starts an agent, enforces its deadlines and stops by the user or the budget, and leaves no process behind. */
export function supervise(
  work: Pick<Work, "cwd" | "env" | "wrap" | "enclose" | "limits">,
  launch: SupervisedLaunch,
  stop: AbortSignal,
): Supervised {
  const { limits, cwd, wrap, enclose } = work;
  const env = { ...work.env, ...launch.env };
  const deadlines = setDeadlines(limits, (by) => halt(by));
  const onOutput = launch.ownSigns === true ? undefined : deadlines.alive;
  const running = startProgram({ ...launch, cwd, env, wrap, enclose, onOutput });
  let isEnding = false;
  let by: StoppedBy | undefined;
  let giveUp: (exit: Exit) => void;
  const stuck = new Promise<Exit>((resolve) => (giveUp = resolve));
  const climb = (ladder: Omit<Ladder, "graceMs">): void => {
    isEnding = true;
    void endAgent(running, { graceMs: limits.graceMs, ...ladder }).then(() => giveUp(STUCK));
  };
  const halt = (reason: StoppedBy): void => {
    if (isEnding) return;
    by = reason;
    climb({ cancel: launch.cancel });
  };
  const onStop = (): void => halt(stop.reason === "budget" ? "budget" : "user");
  if (stop.aborted) onStop();
  else stop.addEventListener("abort", onStop, { once: true });

  async function finish(): Promise<End> {
    const exit = await Promise.race([running.ended, stuck]);
    isEnding = true;
    deadlines.end();
    stop.removeEventListener("abort", onStop);
    // The leader may have ended before the rest of its group.
    running.signal("SIGKILL");
    const mark = env[ATTEMPT_MARK];
    const swept = mark === undefined ? 0 : await sweepMark(ATTEMPT_MARK, mark);
    return { exit, swept, ...(by === undefined ? {} : { by }) };
  }

  return {
    running,
    alive: deadlines.alive,
    windDown() {
      if (isEnding) return;
      running.endInput();
      climb({ firstMs: Math.min(limits.graceMs, OVER_MS) });
    },
    end: finish(),
  };
}
