import type { TaskList } from "../tasks/model.ts";
import type { HandOut } from "./hand-out.ts";
import { hash } from "../text/hash.ts";
import type { Entry, Loop } from "./journal.ts";
import { LIMITS, type State } from "./state.ts";

/** As much of a session's name as counts: it stands in every line of the journal, which has to stay short. */
export const MAX_SESSION = 200;

/** What a decision needs from the world besides the disk. */
export interface Now {
  readonly at: string;
  /** A fresh id, in case a run begins here. */
  readonly runId: string;
}

/** A count that somebody wrote into the journal by hand stays one that can be read again. */
export const increment = (count: number): number => Math.min(count + 1, Number.MAX_SAFE_INTEGER);

/** The record of a run that begins now, bound to `session`, or to nobody yet. */
export function startLoop(
  session: string | null,
  state: State,
  last: Entry | undefined,
  now: Now,
): Loop {
  return {
    run: now.runId,
    began: now.at,
    session,
    iteration: state.globalIteration ?? 1,
    maxIterations: state.maxGlobalIterations ?? LIMITS.maxGlobalIterations,
    maxAttempts: state.maxTaskIterations ?? LIMITS.maxTaskIterations,
    // A session that we drove before is still ours when it starts a run in the middle of a turn.
    continued: last !== undefined && last.loop.session === session ? last.loop.continued : 0,
    stalled: 0,
    mark: "",
    furthest: 0,
    total: state.totalTasks ?? 0,
    ticked: null,
    head: "",
    task: null,
    attempts: {},
    lastError: null,
    told: null,
    open: true,
  };
}

/** The record that goes with the state on disk: the journal's, or a new one where the journal has none. */
export function currentLoop(state: State, last: Entry | undefined, now: Now): Loop {
  const session = state.sessionId?.slice(0, MAX_SESSION);
  if (last === undefined || !last.loop.open) return startLoop(session ?? null, state, last, now);
  const { loop } = last;
  return {
    ...loop,
    // Only a command of the user moves a run that is bound: an agent that writes another session would be free to stop.
    session: loop.session ?? session ?? null,
    iteration: Math.max(loop.iteration, state.globalIteration ?? 1),
    // Only `implement` raises a bound: what the agent writes into the state can but lower it.
    maxIterations: Math.min(state.maxGlobalIterations ?? loop.maxIterations, loop.maxIterations),
    maxAttempts: Math.min(state.maxTaskIterations ?? loop.maxAttempts, loop.maxAttempts),
  };
}

/**
 * Everything whose change counts as movement: phase, boxes, the furthest index, attempts and the commit.
 * Equal marks at two stops mean that the turn between them moved nothing.
 */
export function fingerprintOf(
  brief: HandOut,
  loop: Loop,
  state: State,
  list: TaskList | undefined,
  head: string,
): string {
  const boxes = list?.tasks.map((task) => (task.checked ? "x" : "-")).join("") ?? "";
  const attempts = brief.current.reduce((sum, task) => sum + task.attempt, 0);
  const furthest = Math.max(loop.furthest, brief.index);
  return [state.phase ?? "", hash(boxes), furthest, attempts, head].join(" ");
}
