import { setChecked } from "../../tasks/edit/tick.ts";
import type { Task, TaskList } from "../../tasks/model.ts";
import { parseAgain } from "../../tasks/parse.ts";
import { locate } from "../../tasks/position.ts";
import type { RunStanding } from "../change/insert-tasks.ts";
import { cacheOf } from "../decide.ts";
import type { Write } from "../decision.ts";
import { attemptAt, type HandOut, planHandOut, readyKey } from "../hand-out.ts";
import type { Entry, Loop } from "../journal.ts";
import { addBox, increment, sumBoxes } from "../loop.ts";

/** What goes into the journal with the verdict. */
type JournalFacts = Pick<Entry, "note" | "agent" | "evidence" | "left" | "noChange">;

/** A claim that held: the box is ticked, with everything that follows. */
export interface AcceptedClaim {
  /** Written before the rest, unless the box was already ticked. */
  readonly tasks?: string;
  readonly write: Write;
  readonly list: TaskList;
  readonly open: readonly Task[];
  /** What to do next. */
  readonly brief: HandOut;
}

/** `ticked`: by hand, and there was nothing to run. `accepted`: on the user's word. */
export type Settlement = "done" | "ticked" | "accepted";

export function planDone(
  standing: RunStanding,
  task: Task,
  head: string,
  said: JournalFacts = {},
  event: Settlement = "done",
  { isAgain = false }: { readonly isAgain?: boolean } = {},
): AcceptedClaim {
  const { spec, state } = standing;
  const tasks = setChecked(standing.list, task, true);
  const list = parseAgain(standing.list, tasks);
  const { total, open } = locate(list);
  const { [task.id]: _, ...attempts } = standing.loop.attempts;
  const { [task.id]: __, ...refusals } = standing.loop.refusals;
  const { boxes, moves } = standing.loop;
  const loop: Loop = {
    ...standing.loop,
    attempts,
    refusals,
    ticked: total - open.length,
    head,
    // Of another task that waits to be tried again.
    lastError: Object.keys(attempts).length === 0 ? null : standing.loop.lastError,
    // One that was done before, or had nothing to run and was ticked by hand, is not movement in itself.
    moves: isAgain || event === "ticked" ? moves : increment(moves),
    boxes: boxes === null ? null : addBox(boxes, task.id),
  };
  const brief = planHandOut(spec, list, { ...state, taskIteration: 1 }, loop);
  const ready = loop.ready === null ? null : readyKey(brief);
  return {
    ...(task.checked ? {} : { tasks }),
    write: { event, task: task.id, ...said, loop: { ...loop, ready }, state: cacheOf(brief) },
    list,
    open,
    brief,
  };
}

/** A claim that did not hold. */
export interface RefusedClaim {
  /** Written before the rest: the box must not say what the evidence does not. */
  readonly tasks?: string;
  readonly write: Write;
}

/**
 * Weighing a claim counts as movement, but not the same false one again and again. A box that was ticked by hand costs
 * an attempt: otherwise an agent could tick it for ever.
 */
export function planRefusal(
  { list, loop, state }: RunStanding,
  task: Task,
  said: JournalFacts,
  { isByHand }: { readonly isByHand: boolean } = { isByHand: false },
): RefusedClaim {
  const attempt = increment(attemptAt(task, state, loop));
  const refused = increment(loop.refusals[task.id] ?? 0);
  const isNew = isByHand || refused <= loop.maxAttempts;
  return {
    ...(task.checked ? { tasks: setChecked(list, task, false) } : {}),
    write: {
      event: isByHand ? "failed" : "refused",
      task: task.id,
      ...said,
      loop: {
        ...loop,
        // Somebody has changed boxes by hand: the next stop counts them again.
        ...(loop.boxes === null || loop.boxes === sumBoxes(list.tasks) ? {} : { boxes: "" }),
        refusals: { ...loop.refusals, [task.id]: Math.min(refused, loop.maxAttempts + 1) },
        ...(isNew ? { moves: increment(loop.moves) } : {}),
        ...(isByHand
          ? { attempts: { ...loop.attempts, [task.id]: attempt }, lastError: said.note ?? null }
          : {}),
      },
    },
  };
}
