import type { TaskList } from "../tasks/model.ts";
import type { HandOut } from "./hand-out.ts";
import type { Decision, Disk, Prompt, StopEvent } from "./decision.ts";
import type { Loop } from "./journal.ts";
import { fingerprintOf, increment } from "./loop.ts";
import * as say from "./user-messages.ts";
import type { Raw, State } from "./state.ts";

/** A continuation that is due, unless a bound ends the loop first. */
export interface DueContinuation {
  readonly event: StopEvent;
  readonly disk: Disk;
  readonly state: State;
  readonly loop: Loop;
  readonly brief: HandOut;
  readonly list: TaskList | undefined;
  /** The user wants to be asked first, or paused the loop. */
  readonly waiting?: boolean;
  /** Reason enough to let go here. */
  readonly halt?: say.Halt;
  readonly outcome: "continue" | "sent-back" | "phase";
  readonly prompt: Prompt;
  readonly patch: Raw;
}

/** Every continuation passes here: this is what keeps the loop from running for ever. */
export function continueWithin(due: DueContinuation): Decision {
  const { event, disk, state, loop, brief } = due;
  if (due.waiting === true) return { outcome: "awaiting", say: say.waiting(disk, brief, state) };
  if (loop.iteration >= loop.maxIterations) return atLimit(due);
  const exhausted = brief.current.length === 0 ? brief.exhausted[0] : undefined;
  const halt =
    due.halt ?? (exhausted === undefined ? undefined : say.exhausted(disk, brief, exhausted, loop));
  if (halt !== undefined) return stopOnce(due, "exhausted", halt);
  // We never kept this session going, yet something did: another hook drives it.
  if (event.continuing && loop.continued === 0) return { outcome: "foreign" };
  const mark = fingerprintOf(brief, loop, state, due.list, disk.head);
  const stalled = mark === loop.mark ? loop.stalled + 1 : 0;
  if (stalled >= disk.settings.stallLimit) {
    return stopOnce(due, "stalled", say.stalled(disk, brief, stalled));
  }
  return continued(due, mark, stalled);
}

function continued(due: DueContinuation, mark: string, stalled: number): Decision {
  const { disk, loop, brief } = due;
  const iteration = loop.iteration + 1;
  const session = loop.session ?? due.event.sessionId;
  return {
    outcome: due.outcome,
    prompt: { ...due.prompt, brief: { ...brief, iteration } } as Prompt,
    say: say.continuing(disk, brief, iteration),
    write: {
      event: due.outcome,
      loop: {
        ...loop,
        session,
        iteration,
        stalled,
        mark,
        continued: increment(loop.continued),
        furthest: Math.max(loop.furthest, brief.index),
        total: brief.total,
        // Null says that there was never a list: one that is missing later has not vanished.
        ticked: due.list === undefined ? loop.ticked : brief.ticked,
        head: disk.head,
        task: brief.current[0]?.id ?? null,
        told: null,
      },
      state: {
        ...due.patch,
        globalIteration: iteration,
        ...(session === null ? {} : { sessionId: session }),
      },
    },
  };
}

function atLimit(due: DueContinuation): Decision {
  const { disk, loop } = due;
  const decision = stopOnce(due, "limit", say.limit(disk, loop.maxIterations));
  if (decision.write === undefined || disk.layout.atLimit === "release") return decision;
  return { ...decision, prompt: { kind: "limit", spec: disk.spec, max: loop.maxIterations } };
}

/** Lets go and says why, the first time; the state is kept, and further stops pass in silence. */
function stopOnce(
  due: DueContinuation,
  outcome: "limit" | "exhausted" | "stalled",
  halt: say.Halt,
): Decision {
  const { disk, loop } = due;
  if (loop.told === outcome) return { outcome };
  return {
    outcome,
    say: say.halted(disk, halt),
    write: { event: outcome, note: halt.fact, loop: { ...loop, told: outcome } },
  };
}
