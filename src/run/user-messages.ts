import type { Edition, Phase } from "../layouts/layout.ts";
import { commandAfter, phasesOf } from "../layouts/phases.ts";
import type { Task, TaskList } from "../tasks/model.ts";
import { quoteName, quotePath } from "../text/quote.ts";
import { counted } from "../text/wording.ts";
import type { Disk, Outcome } from "./decision.ts";
import { DRIVEN, MARK_SOURCES } from "./driven.ts";
import { reasonOf, tellPlace, tellRefusals, tellVerdicts } from "./event-lines.ts";
import type { HandOut, SpecRef } from "./hand-out.ts";
import { describeEntry, type InboxEntry, pendingIn } from "./inbox.ts";
import type { Loop } from "./journal.ts";
import { inconclusiveReviews, isInconclusive } from "./review.ts";
import type { State } from "./state.ts";

/** The lines that a user sees. Each ends with what to do, if there is anything to do. */
export function at({ phase, index, total }: HandOut): string {
  if (phase !== undefined) return `phase ${phase}`;
  return total > 0 ? `Task ${Math.min(index + 1, total)}/${total}` : "no task list";
}

/** What has happened since the last line, and what comes next. */
export function continuing(disk: Disk, brief: HandOut, outcome: Outcome): string {
  if (brief.phase !== undefined)
    return `${disk.layout.voice.brand}: ${quoteName(disk.spec.name)}: ${at(brief)}`;
  const open = brief.total - brief.ticked;
  const isSent = outcome === "sent-back";
  const sent = isSent ? [`↩ sent back: ${counted(open, "task")} still open`] : [];
  return afterVerdicts(disk, brief, ...sent, tellPlace(brief));
}

/** The line, after what has become of tasks since the last one. */
const afterVerdicts = (
  disk: Disk,
  { maxAttempts }: Pick<Loop, "maxAttempts">,
  ...line: readonly string[]
): string => [...tellVerdicts(disk.recent?.() ?? [], maxAttempts), ...line].join(" · ");

export function finished(disk: Disk, total: number, loop: Loop): string {
  const { layout, spec } = disk;
  const removed = loop.total - total;
  const note =
    removed > 0
      ? `; ${counted(removed, "task")} ${removed === 1 ? "was" : "were"} removed from tasks.md during the run`
      : "";
  const review = tellReview(disk, loop);
  const count = total > 1 ? `all ${total} tasks done` : total === 1 ? "1 task done" : "done";
  const line = `${layout.voice.brand}: ${quoteName(spec.name)}: ${count} in ${counted(loop.iteration, "turn")}${note}${review}`;
  return afterVerdicts(disk, loop, line);
}

/** Nobody takes it for passed that was never given. */
function tellReview(disk: Disk, { review }: Loop): string {
  if (review === "out") return "; nobody has done the last review";
  const last = (disk.recent?.() ?? []).findLast(({ event }) => event === "reviewed");
  return isInconclusive(last?.note) ? `; the last review: ${last.note}` : "";
}

export function reviewing(disk: Disk, loop: Loop): string {
  const what =
    inconclusiveReviews(loop) > 0
      ? "the last review gave no verdict, so it is asked for once more"
      : "all tasks are done; now a last review of the whole change";
  return afterVerdicts(
    disk,
    loop,
    `${disk.layout.voice.brand}: ${quoteName(disk.spec.name)}: ${what}`,
  );
}

export const waiting = (disk: Disk, brief: HandOut, state: State): string =>
  afterVerdicts(disk, brief, waitingFor(disk, brief, state));

/** What is asked is an agent's words: quoted, on one line. */
export function heldUp(disk: Disk, brief: HandOut, list: TaskList): string {
  const { voice } = disk.layout;
  const pending = disk.inbox === undefined ? [] : pendingIn(disk.inbox, list);
  const tasks = `${counted(brief.held.length, "task")} ${brief.held.length === 1 ? "waits" : "wait"}`;
  const question = pending.find(({ kind }) => kind === "question");
  const answer =
    question === undefined ? "" : `${voice.command("answer")} ${question.id} <text> answers, `;
  const line = `${voice.brand}: ${quoteName(disk.spec.name)}: ${tasks} for you: ${tellAsked(pending)}; ${answer}${voice.command("inbox")} shows all`;
  return afterVerdicts(disk, brief, line);
}

function tellAsked(pending: readonly InboxEntry[]): string {
  const more = pending.length - MAX_ASKED;
  const asked = pending.slice(0, MAX_ASKED).map(describeEntry);
  return [...asked, ...(more > 0 ? [`${more} more`] : [])].join("; ");
}

const MAX_ASKED = 3;

function waitingFor({ layout: { voice } }: Disk, brief: HandOut, state: State): string {
  const resume = voice.command("resume");
  if (state.paused === true) {
    return `${voice.brand}: paused at ${at(brief)}; ${resume} continues`;
  }
  const reason = state.approvalReason === undefined ? "" : ` (${state.approvalReason})`;
  return `${voice.brand}: waiting for your approval at ${at(brief)}${reason}; ${resume} approves and continues`;
}

export const corrupt = (
  { layout: { voice, stateFile }, spec }: Disk,
  file: string,
  why: string,
): string =>
  `${voice.brand}: ${file === stateFile ? "corrupt state file: " : ""}${quotePath(spec.basePath)}/${file} cannot be used: ${why}; ${voice.command("implement")} rebuilds it, ${voice.command("cancel")} ends the run`;

/** The loop stops: the fact, which the journal keeps, and what the user can do about it. */
export interface Halt {
  readonly fact: string;
  readonly advice: string;
  /** As the first versions put it: the fact before the name of the spec. */
  readonly factFirst?: boolean;
}

export function halted({ layout, spec }: Disk, brief: HandOut, halt: Halt): string {
  const { fact, advice, factFirst = false } = halt;
  const name = quoteName(spec.name);
  const what = factFirst ? `${fact}, ${name} is stopped` : `stopped, ${name}: ${fact}`;
  const open = brief.total - brief.ticked;
  const left =
    brief.phase !== undefined || open === 0
      ? ""
      : `; ${open} of ${counted(brief.total, "task")} ${open === 1 ? "is" : "are"} open`;
  return `${layout.voice.brand}: ${what}; ${advice}${left}`;
}

export const limit = ({ layout }: Disk, max: number): Halt => ({
  fact: `max iterations (${max}) reached`,
  factFirst: true,
  advice: `${layout.voice.command("implement")} --max-global-iterations <n> continues`,
});

export function exhausted({ layout }: Disk, brief: HandOut, task: Task, loop: Loop): Halt {
  const why = loop.lastError === null ? "" : ` (${reasonOf(task.id, loop.lastError)})`;
  return {
    fact: `task ${task.id} failed in all ${brief.maxAttempts} attempts${why}`,
    advice: `fix it, then ${layout.voice.command("resume")}`,
  };
}

export const unfinished = ({ layout }: Disk, { document }: Phase, finding: string): Halt => ({
  fact: `${document} failed its check again: ${finding}`,
  advice: `fix it, then ${layout.voice.command("resume")}`,
});

export function stalled(disk: Disk, brief: HandOut, times: number, { run }: Loop): Halt {
  const own = (disk.past?.() ?? []).filter(({ loop }) => loop.run === run);
  const why = tellRefusals(own) || "no task proven";
  return {
    fact: `no progress in ${counted(times, "continuation")} at ${at(brief)} (${why})`,
    advice: `${disk.layout.voice.command("resume")} continues`,
  };
}

export const loopIsOn = ({ layout: { voice }, spec }: Disk, brief: HandOut): string =>
  `${voice.brand}: the loop is running (${quoteName(spec.name)}, ${at(brief)}); Esc, then ${voice.command("pause")}, pauses it`;

export const interrupted = ({ voice }: Edition): string =>
  `${voice.brand}: paused, because you pressed Esc; type anything or ${voice.command("resume")} to go on`;

/** The user types a command where our mark is set. */
export const marked = ({ voice }: Edition, mark = DRIVEN): string =>
  `${voice.brand}: ${mark} is set in this client, so what is typed here does not count as yours; remove it from ${MARK_SOURCES.replace(DRIVEN, mark)}`;

/** Where a spec is before execution, and the command that continues. */
export function inPhase(
  { layout, spec }: Disk,
  phase: Phase,
  state: State,
  isElsewhere: boolean,
): string {
  const { voice } = layout;
  const waits = state.awaitingApproval === true && state.quickMode !== true;
  const where = waits ? `${phase.document} waits for your approval` : `in phase ${phase.name}`;
  const next = waits
    ? `${voice.command(commandAfter(phasesOf(layout, state), phase))} approves it and continues`
    : `${voice.command("start")} continues`;
  const unless =
    isElsewhere && state.quickMode === true ? ", unless another session is working on it" : "";
  return `${voice.brand}: ${quoteName(spec.name)}: ${where}; ${next}${unless}`;
}

/** What a clone may have brought along: nothing happens until the user says so. */
export const stranger = ({ voice }: Edition, spec: SpecRef): string =>
  `${voice.brand}: ${quotePath(spec.basePath)} has a run that was not started on this machine, so it is not continued; ${voice.command("resume")} ${quoteName(spec.name)} resumes it`;

/** The same for the model: file names in a project must not speak to it. */
export const strangerContext = ({ voice }: Edition): string =>
  `${voice.brand}: this project has a run that was not started on this machine. It is not continued; only the user can resume it.`;

export const lost = ({ voice }: Edition, { name }: Pick<SpecRef, "name">, why: string): string =>
  `${voice.brand}: the run of ${quoteName(name)} stopped before it was finished: ${why}; ${voice.command("resume")} ${quoteName(name)} continues`;

export const hidden = ({ voice }: Edition, { name }: Pick<SpecRef, "name">, why: string): string =>
  `${voice.brand}: the run of ${quoteName(name)} is waiting for you, but ${why}; ${voice.command("resume")} ${quoteName(name)} continues`;

/** Where a run was left, for a session that finds it. */
export function leftOff({ layout: { voice }, spec, last }: Disk, brief: HandOut): string {
  const why = last?.note === undefined ? "" : ` (${last.event}: ${last.note})`;
  return `${voice.brand}: ${quoteName(spec.name)} is at ${at(brief)}${why}; ${voice.command("resume")} continues, ${voice.command("status")} shows details`;
}
