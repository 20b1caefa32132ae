import type { StopReason, Work } from "../port.ts";
import { setDeadlines } from "./deadlines.ts";
import { endAgent, type Ladder } from "./ladder.ts";
import { type Exit, type Launch, type Running, start } from "./start.ts";
import { ATTEMPT_MARK, sweepMark } from "./sweep.ts";

export interface Errand extends Launch {
  /** The agent's own way to be told to stop, if it has one. */
  readonly cancel?: () => void;
  /** Output alone is no sign of life: the driver tells by `alive`. */
  readonly ownSigns?: true;
}

export interface Supervised {
  readonly running: Running;
  /** A sign of life other than output, which counts by itself. */
  alive(): void;
  /** The agent has said its last: it may end by itself, and is ended if it does not. */
  over(): void;
  /** Settles when nothing of it is left. Never rejects. */
  readonly end: Promise<End>;
}

export interface End {
  readonly exit: Exit;
  /** Why we ended it, unless it was over already. */
  readonly by?: StoppedBy;
  /** How many processes it had left behind. */
  readonly swept: number;
}

export type StoppedBy = StopReason | "wall" | "silence";

/** How long an agent that is over may take to end, which most do at once. */
const OVER_MS = 1000;

/** Not even SIGKILL has ended it: a process that waits for a dead disk. */
const STUCK: Exit = { code: null, signal: "SIGKILL", stderr: "" };

/** Starts an agent and answers for it: deadlines, a stop by the user or the budget, and that nothing is left. */
export function supervise(
  work: Pick<Work, "cwd" | "env" | "wrap" | "limits">,
  errand: Errand,
  stop: AbortSignal,
): Supervised {
  const { limits, env } = work;
  const deadlines = setDeadlines(limits, (by) => halt(by));
  const running = start(work, errand, errand.ownSigns === true ? undefined : deadlines.alive);
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
    climb({ cancel: errand.cancel });
  };
  const onStop = (): void => halt(stop.reason === "budget" ? "budget" : "user");
  if (stop.aborted) onStop();
  else stop.addEventListener("abort", onStop, { once: true });

  async function finish(): Promise<End> {
    const exit = await Promise.race([running.ended, stuck]);
    isEnding = true;
    deadlines.end();
    stop.removeEventListener("abort", onStop);
    // Its leader may have ended before the others.
    running.signal("SIGKILL");
    const mark = env[ATTEMPT_MARK];
    const swept = mark === undefined ? 0 : await sweepMark(ATTEMPT_MARK, mark);
    return { exit, swept, ...(by === undefined ? {} : { by }) };
  }

  return {
    running,
    alive: deadlines.alive,
    over() {
      if (isEnding) return;
      running.endInput();
      climb({ firstMs: Math.min(limits.graceMs, OVER_MS) });
    },
    end: finish(),
  };
}
