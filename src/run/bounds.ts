import type { TaskList } from "../tasks/model.ts";
import type { Decision, Disk, Prompt, StopEvent } from "./decision.ts";
import { type HandOut, isHeldUp } from "./hand-out.ts";
import type { Loop } from "./journal.ts";
import * as log from "./log-lines.ts";
import { fingerprintOf, increment } from "./loop.ts";
import type { Raw, State } from "./state.ts";
import * as say from "./user-messages.ts";

/** A continuation to hand out, unless a bound ends the loop first. */
export interface DueContinuation {
  readonly event: StopEvent;
  readonly disk: Disk;
  readonly state: State;
  readonly loop: Loop;
  readonly brief: HandOut;
  readonly list: TaskList | undefined;
  /** The user asked for approval first, or paused the loop. */
  readonly waiting?: boolean;
  /** A reason to stop here. */
  readonly halt?: say.Halt;
  readonly outcome: "continue" | "sent-back" | "phase" | "review";
  readonly prompt: Prompt;
  readonly patch: Raw;
}

/** The same with what has moved since the last stop. */
interface Measured extends DueContinuation {
  readonly fingerprint: string;
  /** Continuations in a row that moved nothing. */
  readonly stalled: number;
}

/** Ends the loop here, or has nothing against going on. */
type Bound = (due: Measured) => Decision | undefined;

const waitForUser: Bound = ({ waiting, disk, brief, state }) =>
  waiting === true
    ? { outcome: "awaiting", say: say.waiting(disk, brief, state), log: log.waiting(state) }
    : undefined;

/** Only what waits for an answer is left. */
const waitForAnswers: Bound = ({ disk, brief, list }) =>
  isHeldUp(brief) && list !== undefined
    ? { outcome: "awaiting", say: say.heldUp(disk, brief, list), log: log.heldUp(brief) }
    : undefined;

const limitTurns: Bound = (due) =>
  due.loop.iteration >= due.loop.maxIterations ? stopAtLimit(due) : undefined;

const limitAttempts: Bound = (due) => {
  const { disk, loop, brief } = due;
  const exhausted = brief.current.length === 0 ? brief.exhausted[0] : undefined;
  const halt =
    due.halt ?? (exhausted === undefined ? undefined : say.exhausted(disk, brief, exhausted, loop));
  return halt === undefined ? undefined : stopOnce(due, "exhausted", halt);
};

/** We never kept this session going, yet something did: another hook drives it. */
const yieldToOtherHook: Bound = ({ event, loop }) =>
  event.continuing && loop.continued === 0 ? { outcome: "foreign" } : undefined;

const limitStalls: Bound = (due) => {
  const { disk, brief, stalled, loop } = due;
  if (stalled < disk.settings.stallLimit) return undefined;
  return stopOnce(due, "stalled", say.stalled(disk, brief, stalled, loop));
};

/** What keeps the loop from running for ever. The first that ends it decides. */
const BOUNDS: readonly Bound[] = [
  waitForUser,
  waitForAnswers,
  limitTurns,
  limitAttempts,
  yieldToOtherHook,
  limitStalls,
];

/** Every continuation passes here. */
export function continueWithin(due: DueContinuation): Decision {
  const { brief, loop, state } = due;
  const fingerprint = fingerprintOf(brief, loop, state);
  const stalled = fingerprint === loop.mark ? loop.stalled + 1 : 0;
  const measured = { ...due, fingerprint, stalled };
  for (const bound of BOUNDS) {
    const ended = bound(measured);
    if (ended !== undefined) return ended;
  }
  return continued(measured);
}

function continued(due: Measured): Decision {
  const { disk, loop, brief } = due;
  const iteration = loop.iteration + 1;
  const session = loop.session ?? due.event.sessionId;
  return {
    outcome: due.outcome,
    prompt: { ...due.prompt, brief: { ...brief, iteration } } as Prompt,
    say: say.continuing(disk, brief, due.outcome),
    log: log.stopped(disk, brief, due.state),
    write: {
      event: due.outcome,
      loop: {
        ...loop,
        session,
        iteration,
        stalled: due.stalled,
        mark: due.fingerprint,
        continued: increment(loop.continued),
        furthest: Math.max(loop.furthest, brief.index),
        total: brief.total,
        // Null means that there never was a list, so a missing one has not vanished.
        ticked: due.list === undefined ? loop.ticked : brief.ticked,
        head: disk.head,
        task: brief.current[0]?.id ?? null,
        // The state may say fewer next time: going up and down is not movement.
        attempts: { ...loop.attempts, ...laterAttempts(brief) },
        told: null,
        // Whatever was started has ended, or will be heard of when it does.
        out: {},
      },
      state: {
        ...due.patch,
        globalIteration: iteration,
        ...(session === null ? {} : { sessionId: session }),
      },
    },
  };
}

const laterAttempts = ({ current }: HandOut): Record<string, number> =>
  Object.fromEntries(
    current.filter(({ attempt }) => attempt > 1).map(({ id, attempt }) => [id, attempt]),
  );

function stopAtLimit(due: DueContinuation): Decision {
  const { disk, loop } = due;
  const once = stopOnce(due, "limit", say.limit(disk, loop.maxIterations));
  if (once.write === undefined) return once;
  const decision = { ...once, log: log.limit(loop.maxIterations) };
  if (disk.layout.atLimit === "release") return decision;
  return { ...decision, prompt: { kind: "limit", spec: disk.spec, max: loop.maxIterations } };
}

/** Stops and says why, once. The state is kept, and later stops are silent. */
function stopOnce(
  due: DueContinuation,
  outcome: "limit" | "exhausted" | "stalled",
  halt: say.Halt,
): Decision {
  const { disk, loop } = due;
  if (loop.told === outcome) return { outcome };
  return {
    outcome,
    say: say.halted(disk, due.brief, halt),
    write: { event: outcome, note: halt.fact, loop: { ...loop, told: outcome } },
  };
}
