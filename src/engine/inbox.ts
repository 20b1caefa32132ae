import { keepOutOfGit } from "../git/exclude.ts";
import { EXECUTION } from "../layouts/layout.ts";
import { GO_ON, isMisnumbered, LEAVE, numberOptions, readAnswer } from "../run/answers.ts";
import {
  addEntry,
  answerEntry,
  closeQuestions,
  describeEntry,
  type Inbox,
  type InboxEntry,
  isOpen,
  MERGE,
  type NewEntry,
  pendingFor,
  waitingFor,
} from "../run/inbox.ts";
import type { Entry, EventName } from "../run/journal.ts";
import { currentLoop, increment, type Now } from "../run/loop.ts";
import { whoseRun } from "../run/trust.ts";
import { USER_WORDS } from "../spec/noted-items.ts";
import { inboxPath, readInbox, writeInbox } from "../store/inbox.ts";
import { withLock } from "../store/lock.ts";
import { addProgressItems, removeProgressItems } from "../store/progress.ts";
import { faultIn } from "../store/read.ts";
import { applyWrite, readDisk, readTasks } from "../store/spec-files.ts";
import { listSpecs, type Spec } from "../store/spec.ts";
import { oneLine } from "../text/template.ts";
import { requireUserFor, whence } from "./authority.ts";
import { Refusal } from "./refusal.ts";
import type { Request } from "./request.ts";
import { requireTask, tasksOf } from "./with-run.ts";

/** An entry, with its spec and the open tasks that wait for it. */
export interface InboxItem {
  readonly spec: Spec;
  readonly entry: InboxEntry;
  readonly waiting: readonly string[];
}

/** All questions of these specs, open or answered, oldest first. */
export function readInboxes(specs: readonly Spec[]): InboxItem[] {
  return specs
    .flatMap((spec) => {
      const { entries } = readInbox(spec);
      const tasks = entries.length === 0 ? undefined : readTasks(spec);
      return entries.map((entry) => ({
        spec,
        entry,
        waiting:
          tasks?.kind === "ok" && isOpen(entry)
            ? entry.task === MERGE
              ? [MERGE]
              : waitingFor(tasks.list, entry).map(({ id }) => id)
            : [],
      }));
    })
    .sort((a, b) => a.entry.askedAt.localeCompare(b.entry.askedAt) || a.entry.id - b.entry.id);
}

/** False if no open task waits for it any more. */
export const isPending = ({ entry, waiting }: InboxItem): boolean =>
  isOpen(entry) && waiting.length > 0;

export interface Noted {
  readonly entry: InboxEntry;
  readonly isNew: boolean;
}

/** `elsewhere`: specs of the project in the work trees of runs, whose questions have numbers too. */
export const recordQuestion = (
  spec: Spec,
  asked: Omit<NewEntry, "kind">,
  now: Now,
  elsewhere: readonly Spec[] = [],
): Noted =>
  withLock(spec.lock, () => noteEntry(spec, { ...asked, kind: "question" }, now, elsewhere));

/** Call with the spec's lock held. */
export function noteEntry(
  spec: Spec,
  asked: NewEntry,
  now: Now,
  elsewhere: readonly Spec[] = [],
  where: Pick<Entry, "from"> = {},
): Noted {
  const inbox = usableInbox(spec);
  const taken = [...listSpecs(spec.project), ...elsewhere].flatMap((one) => readInbox(one).entries);
  const highest = taken.reduce((most, { id }) => Math.max(most, id), 0);
  const added = addEntry(inbox, asked, highest, now.at);
  if (added.kind === "known") return { entry: added.entry, isNew: false };
  if (added.kind === "full")
    throw new Refusal(
      "refused",
      `too many questions about "${spec.name}" are open`,
      "decide this one yourself, and note it as an assumption in .progress.md",
    );
  keepOutOfGit(spec);
  writeInbox(spec, added.inbox);
  const { entry } = added;
  noteInJournal(spec, asked.kind === "skip" ? "skipped" : "asked", entry, now, where);
  return { entry, isNew: true };
}

function usableInbox(spec: Spec): Inbox {
  const inbox = readInbox(spec);
  if (inbox.fault === undefined) return inbox;
  throw new Refusal(
    "broken",
    `${inboxPath(spec)} cannot be used: ${inbox.fault}`,
    "repair it, or move it away",
  );
}

/** Counts a question or an answer as progress, so that the turn is not counted as idle. */
function noteInJournal(
  spec: Spec,
  event: EventName,
  entry: InboxEntry,
  now: Now,
  where: Pick<Entry, "from"> = {},
): void {
  const disk = readDisk(spec);
  if (disk.state.kind !== "ok" || disk.state.state.phase !== EXECUTION) return;
  if (whoseRun(disk, disk.last?.loop.session ?? null) === "stranger") return;
  const loop = currentLoop(disk.state.state, disk.last, now);
  const note = oneLine(
    event === "answered" ? `${entry.id}: ${entry.answer ?? ""}` : describeEntry(entry),
    500,
  );
  const moved = { ...loop, moves: increment(loop.moves) };
  const write = { event, task: entry.task, note, ...where, loop: moved };
  applyWrite(spec, disk.state, write, now.at);
}

/**
 * Answers a question, for the user or their script. The next attempt at the task and the notes get the answer; "leave it"
 * skips the task, and any other answer takes one up again that was skipped. `copies`: the same entry in other trees.
 */
export function answerQuestion(
  request: Request,
  item: Pick<InboxItem, "spec" | "entry">,
  answer: string,
  copies: readonly Pick<InboxItem, "spec" | "entry">[] = [],
): { readonly entry: InboxEntry; readonly skip: "set" | "taken-back" | "none" | "too-late" } {
  const { spec, entry: asked } = item;
  requireUserFor(request, spec.project.layout, "answer");
  const said = answer.trim();
  if (said === "") throw new Refusal("usage", "the answer is empty", `answer ${asked.id} <text>`);
  if (isMisnumbered(asked, said))
    throw new Refusal(
      "usage",
      `question ${asked.id} has no option ${said}`,
      `its options: ${numberOptions(asked)}; or answer in words`,
    );
  if (asked.kind === "skip" && readAnswer(asked, said) === LEAVE)
    return { entry: asked, skip: "set" };
  for (const copy of copies) decide(request, copy.spec, copy.entry.id, answer);
  const entry = decide(request, spec, asked.id, answer);
  const isSkip = asked.kind === "skip";
  if (entry.answer === LEAVE) {
    if (!isTaskOpen(spec, entry)) return { entry, skip: "too-late" };
    skipTask(request, spec, entry.task, "left, as you said");
    return { entry, skip: "set" };
  }
  if (!isTaskOpen(spec, entry)) return { entry, skip: "too-late" };
  const skipped = findSkip(spec, entry.task);
  if (skipped !== undefined) decide(request, spec, skipped.id, GO_ON);
  return { entry, skip: isSkip || skipped !== undefined ? "taken-back" : "none" };
}

/** A task that is done meanwhile, or gone, cannot be skipped, and nobody continues with the answer. */
function isTaskOpen(spec: Spec, { task }: InboxEntry): boolean {
  const tasks = readTasks(spec);
  if (task === MERGE) return true;
  return tasks.kind === "ok" && tasks.list.tasks.some(({ id, checked }) => id === task && !checked);
}

const findSkip = (spec: Spec, task: string): InboxEntry | undefined =>
  pendingFor(readInbox(spec), task).findLast(({ kind }) => kind === "skip");

/** Closes what a run has asked about a task, because it ends and the next one tries the task again. */
export const dropQuestions = (spec: Spec, task: string, now: Now): void =>
  withLock(spec.lock, () =>
    writeInbox(spec, closeQuestions(usableInbox(spec), task, { by: "run", at: now.at })),
  );

/** Skips a task for now, with everything that depends on it; nobody needs to answer what was asked about it. */
export function skipTask(request: Request, spec: Spec, id: string, why: string): Noted {
  requireUserFor(request, spec.project.layout, "skip");
  const now = request.now();
  return withLock(spec.lock, () => {
    const task = requireTask(tasksOf(spec, readTasks(spec)), id);
    if (task.checked) throw new Refusal("refused", `${task.id} is done already`);
    const asked = { kind: "skip", task: task.id, text: why } as const;
    const noted = noteEntry(spec, asked, now, [], whence(request, spec));
    const closed = { by: request.caller.authority, at: now.at };
    writeInbox(spec, closeQuestions(usableInbox(spec), task.id, closed));
    return noted;
  });
}

/** Takes a skipped task up again. */
export function unskipTask(request: Request, spec: Spec, id: string): InboxEntry {
  requireUserFor(request, spec.project.layout, "unskip");
  const entry = findSkip(spec, id);
  if (entry === undefined)
    throw new Refusal("missing", `"${id}" is not skipped`, "inbox lists what is");
  return decide(request, spec, entry.id, GO_ON);
}

function decide(request: Request, spec: Spec, id: number, answer: string): InboxEntry {
  const now = request.now();
  return withLock(spec.lock, () => {
    const inbox = usableInbox(spec);
    const before = inbox.entries.find((one) => one.id === id);
    const by = request.caller.authority;
    const after = answerEntry(inbox, id, { answer, by, at: now.at });
    const entry = after.entries.find((one) => one.id === id);
    if (before === undefined || entry === undefined)
      throw new Refusal("missing", `there is no question ${id} in "${spec.name}"`);
    writeInbox(spec, after);
    noteInJournal(spec, "answered", entry, now, whence(request, spec));
    if (entry.answer !== GO_ON || entry.kind === "question") noteDecision(spec, before, entry);
    else unsayLeft(spec, after, entry.task);
    return entry;
  });
}

/** Adds the decision to the notes, for other tasks and the receipt. If that fails, the answer still counts. */
function noteDecision(spec: Spec, before: InboxEntry, entry: InboxEntry): void {
  if (before.answer !== undefined)
    faultIn(() => removeProgressItems(spec, USER_WORDS, [asItem(before)]));
  addProgressItems(spec, USER_WORDS, [asItem(entry)]);
}

/** A task that is taken up again was not left after all. */
function unsayLeft(spec: Spec, { entries }: Inbox, id: string): void {
  const left = entries.filter(({ task, answer }) => task === id && answer === LEAVE);
  faultIn(() => removeProgressItems(spec, USER_WORDS, left.map(asItem)));
}

const asItem = ({ task, text, answer = "" }: InboxEntry) => ({
  phase: EXECUTION,
  text: `asked about ${task}, "${oneLine(text, 300)}", you decided: ${oneLine(answer, 600)}`,
});
