import type { Task } from "../tasks/model.ts";
import type { Brief, SpecRef } from "./hand-out.ts";
import type { Disk } from "./decision.ts";
import type { Loop } from "./journal.ts";
import { brand, type Layout, type Phase, slash } from "../layouts/layout.ts";
import { commandAfter } from "../layouts/phases.ts";
import { quoteName, quotePath } from "../text/quote.ts";
import type { State } from "./state.ts";

/** The lines that a user sees. One each, and each ends with what to do, if there is anything to do. */
export function at({ phase, index, total }: Brief): string {
  if (phase !== undefined) return `phase ${phase}`;
  return total > 0 ? `Task ${Math.min(index + 1, total)}/${total}` : "no task list";
}

export const continuing = ({ layout }: Disk, brief: Brief, iteration: number): string =>
  `${brand(layout)} iteration ${iteration} | ${at(brief)}`;

export function finished({ layout, spec }: Disk, total: number, loop: Loop): string {
  const removed = loop.total - total;
  const note = removed > 0 ? `; ${removed} tasks were taken out of tasks.md on the way` : "";
  const count = total > 0 ? `all ${total} tasks done` : "done";
  return `${brand(layout)}: ${quoteName(spec.name)}: ${count} in ${loop.iteration} turns${note}`;
}

export function waiting({ layout }: Disk, brief: Brief, state: State): string {
  if (state.paused === true) {
    return `${brand(layout)}: paused at ${at(brief)}; ${slash(layout, "resume")} goes on`;
  }
  const reason = state.approvalReason === undefined ? "" : ` (${state.approvalReason})`;
  return `${brand(layout)}: waits for your approval at ${at(brief)}${reason}; ${slash(layout, "resume")} approves and goes on`;
}

export const corrupt = ({ layout, spec }: Disk, file: string, why: string): string =>
  `${brand(layout)}: ${quotePath(spec.basePath)}/${file} cannot be used, ${why}; ${slash(layout, "implement")} rebuilds it, ${slash(layout, "cancel")} ends the run`;

/** The loop lets go: the fact, which the journal keeps, and what the user can do about it. */
export interface Halt {
  readonly fact: string;
  readonly advice: string;
}

export const halted = ({ layout, spec }: Disk, { fact, advice }: Halt): string =>
  `${brand(layout)}: stopped, ${quoteName(spec.name)}: ${fact}; ${advice}`;

export const limit = ({ layout }: Disk, max: number): Halt => ({
  fact: `all ${max} iterations are used`,
  advice: `${slash(layout, "implement")} --max-global-iterations <n> goes on`,
});

export function exhausted({ layout }: Disk, brief: Brief, task: Task, loop: Loop): Halt {
  const why = loop.lastError === null ? "" : ` (${loop.lastError})`;
  return {
    fact: `task ${task.id} failed in all ${brief.maxAttempts} attempts${why}`,
    advice: `mend it, then ${slash(layout, "resume")}`,
  };
}

export const unfinished = ({ layout }: Disk, { document }: Phase, finding: string): Halt => ({
  fact: `${document} failed its check again: ${finding}`,
  advice: `mend it, then ${slash(layout, "resume")}`,
});

export const stalled = ({ layout }: Disk, brief: Brief, times: number): Halt => ({
  fact: `nothing moved in ${times} continuations at ${at(brief)} (no box, no attempt, no commit)`,
  advice: `${slash(layout, "resume")} goes on`,
});

export const loopIsOn = ({ layout, spec }: Disk, brief: Brief): string =>
  `${brand(layout)}: the loop is on (${quoteName(spec.name)}, ${at(brief)}); ${slash(layout, "pause")} pauses it`;

/** Where a spec stands before execution, and the command that goes on. */
export function inPhase(
  { layout, spec }: Disk,
  phase: Phase,
  state: State,
  isElsewhere: boolean,
): string {
  const waits = state.awaitingApproval === true && state.quickMode !== true;
  const where = waits ? `${phase.document} waits for your approval` : `in phase ${phase.name}`;
  const next = waits
    ? `${slash(layout, commandAfter(layout, phase))} approves it and goes on`
    : `${slash(layout, "start")} goes on`;
  const unless =
    isElsewhere && state.quickMode === true ? ", unless another session is still at it" : "";
  return `${brand(layout)}: ${quoteName(spec.name)}: ${where}; ${next}${unless}`;
}

/** What a clone may have brought along: nothing is done about it until its user says so. */
export const stranger = (layout: Layout, spec: SpecRef): string =>
  `${brand(layout)}: ${quotePath(spec.basePath)} holds a run that was not started on this machine, so nothing is run; ${slash(layout, "resume")} ${quoteName(spec.name)} takes it up`;

/** The same for the model, to which a project says nothing through the names of its files. */
export const strangerContext = (layout: Layout): string =>
  `${brand(layout)}: this project holds a run that was not started on this machine. Nothing of it is run or continued, and only the user can take it up.`;

export const lost = (layout: Layout, { name }: Pick<SpecRef, "name">, why: string): string =>
  `${brand(layout)}: the run of ${quoteName(name)} ends here, unfinished: ${why}; ${slash(layout, "resume")} ${quoteName(name)} goes on`;

export const hidden = (layout: Layout, { name }: Pick<SpecRef, "name">, why: string): string =>
  `${brand(layout)}: the run of ${name} waits for you, and ${why}; ${slash(layout, "resume")} ${name} goes on`;

/** Where a run was left, for a session that finds it. */
export function leftOff({ layout, spec, last }: Disk, brief: Brief): string {
  const why = last?.note === undefined ? "" : ` (${last.event}: ${last.note})`;
  return `${brand(layout)}: ${quoteName(spec.name)} is at ${at(brief)}${why}; ${slash(layout, "resume")} goes on, ${slash(layout, "status")} tells more`;
}
