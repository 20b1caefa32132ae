import type { Task } from "../tasks/model.ts";
import { hash } from "../text/hash.ts";
import type { HandOut } from "./hand-out.ts";
import { type Entry, LATER, type Loop } from "./journal.ts";
import { LIMITS, type State } from "./state.ts";

/** How much of a session's name counts: it is in every line of the journal, which has to stay short. */
export const MAX_SESSION = 200;
/** The same for whatever the client calls its agents. */
export const MAX_AGENT = 200;

/** What a decision needs from the world besides the disk. */
export interface Now {
  readonly at: string;
  /** A new id, in case a run begins here. */
  readonly runId: string;
}

/** A count that somebody wrote into the journal by hand must still be readable. */
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
    // A session that we drove before is still ours if it starts a run in the middle of a turn.
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
    ...LATER,
  };
}

/** The record that belongs to the state on disk: the journal's, or a new one if the journal has none. */
export function currentLoop(state: State, last: Entry | undefined, now: Now): Loop {
  const session = state.sessionId?.slice(0, MAX_SESSION);
  if (last === undefined || !last.loop.open) return startLoop(session ?? null, state, last, now);
  const { loop } = last;
  return {
    ...loop,
    // Only the user's command moves a bound run: otherwise an agent could write another session and be free to stop.
    session: loop.session ?? session ?? null,
    iteration: Math.max(loop.iteration, state.globalIteration ?? 1),
    // Only `implement` raises a bound: what the agent writes into the state can only lower it.
    maxIterations: Math.min(state.maxGlobalIterations ?? loop.maxIterations, loop.maxIterations),
    maxAttempts: Math.min(state.maxTaskIterations ?? loop.maxAttempts, loop.maxAttempts),
  };
}

/**
 * Everything whose change counts as movement. If two stops have equal marks, the turn between them moved nothing. A
 * commit alone does not count: an agent that commits a line of notes each turn would never end.
 */
export function fingerprintOf(
  { index, current }: HandOut,
  { furthest, moves }: Loop,
  { phase = "" }: State,
): string {
  // People and older prompts count attempts in the state.
  const attempts = current.reduce((sum, task) => sum + task.attempt, 0);
  return [phase, Math.max(furthest, index), attempts, moves].join(" ");
}

/** A sum over the boxes that are ticked: equal for equal sets, and one more box can be added to it. */
export const sumBoxes = (tasks: readonly Task[]): string =>
  tasks.filter(({ checked }) => checked).reduce((sum, { id }) => addBox(sum, id), NO_BOXES);

export const NO_BOXES = "0 0";

export function addBox(boxes: string, id: string): string {
  const [count = 0, sum = 0] = boxes.split(" ").map(Number);
  return `${count + 1} ${(sum + Number.parseInt(hash(id), 36)) >>> 0}`;
}
