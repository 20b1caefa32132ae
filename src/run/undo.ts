import { setChecked } from "../tasks/edit/tick.ts";
import type { Task, TaskList } from "../tasks/model.ts";
import * as s from "../text/schema.ts";
import type { HandOut } from "./hand-out.ts";
import type { Entry, Loop } from "./journal.ts";

const names = s.listOf(s.string);

/** What git was told to overlook. */
const overlookedKind = s.objectOf({
  flags: s.field(
    names,
    "Files with a flag in the index; a missing folder stands for all its files.",
  ),
  rules: s.field(names, "The lines of ignore files that are in no commit."),
});
export type Overlooked = s.TypeOf<typeof overlookedKind>;

const noteFields = {
  task: s.field(s.string, ""),
  attempt: s.field(s.integer(0), ""),
  at: s.field(s.string, "When, ISO 8601."),
  base: s.field(s.string, "The commit that was checked out."),
  branch: s.field(s.string, "What was checked out then: no other branch is ever reset."),
  ticked: s.field(names, "The tasks whose boxes were ticked."),
};

/** Missing in what older versions wrote; `overlooked` also if it was too much to keep. */
const laterFields = {
  dirty: s.field(names, "The files that were uncommitted, tracked or not."),
  overlooked: s.field(overlookedKind, "What git was told to overlook."),
};

/** What a checkpoint says besides its commit. */
export type CheckpointNote = s.ValuesOf<typeof noteFields> &
  Partial<s.ValuesOf<typeof laterFields>>;

/** The state of the work when an attempt at a task began, kept as a ref. */
export interface Checkpoint extends CheckpointNote {
  readonly ref: string;
  /**
   * The files as they were: `base` itself, or a commit of the uncommitted changes on top of it, shaped like a stash.
   */
  readonly commit: string;
}

/** Undefined if the text is not from a checkpoint. */
export function parseNote(text: string): CheckpointNote | undefined {
  const said = s.parseJson(text);
  if (!s.objectOf(noteFields).is(said)) return undefined;
  const { dirty: _, overlooked: __, ...note } = said as CheckpointNote;
  return { ...note, ...s.readFields(laterFields, said) };
}

/** A run writes its first entry and its first checkpoint together, in either order. */
const TOGETHER_MS = 60_000;

/**
 * The checkpoint that `undo` returns to: the first hand-out of the task, after it was last done if it has been handed
 * out again since. Checkpoints older than the journal belong to an earlier spec of the same name. Oldest first.
 */
export function findStart(
  checkpoints: readonly Checkpoint[],
  task: string,
  entries: readonly Entry[],
): Checkpoint | undefined {
  const [first] = entries;
  if (first === undefined) return undefined;
  const since = timeOf(first.at) - TOGETHER_MS;
  const own = checkpoints.filter((one) => one.task === task && timeOf(one.at) >= since);
  const last = own.at(-1);
  if (last === undefined) return undefined;
  const done = entries.findLast(
    (entry) => entry.event === "done" && entry.task === task && entry.at < last.at,
  );
  return own.find(({ at }) => done === undefined || at > done.at);
}

/** The checkpoints of the work that is on: since the spec was last finished or cancelled. */
export function selectCurrent(
  checkpoints: readonly Checkpoint[],
  entries: readonly Entry[],
): Checkpoint[] {
  const ended = entries.findLastIndex(({ event }) => event === "finished" || event === "cancelled");
  const first = entries[ended + 1];
  if (first === undefined) return [];
  const together = timeOf(first.at) - TOGETHER_MS;
  const since = Math.max(together, timeOf(entries[ended]?.at ?? "") || together);
  return checkpoints.filter(({ at }) => timeOf(at) >= since);
}

/**
 * The boxes to clear: the task's own, and all whose work is undone with it. The journal says what was reported since,
 * the checkpoint what was ticked then; agents also tick by hand, so both count.
 */
export function planCleared(
  list: TaskList,
  { task, at, ticked }: Checkpoint,
  entries: readonly Entry[],
): Task[] {
  const before = new Set(ticked);
  const since = new Set(
    entries.filter((entry) => entry.event === "done" && entry.at > at).map((entry) => entry.task),
  );
  return list.tasks.filter(
    ({ id, checked }) => checked && (id === task || since.has(id) || !before.has(id)),
  );
}

/** The file with those boxes cleared; every other byte is unchanged. */
export function clearBoxes(list: TaskList, tasks: readonly Task[]): string {
  const lines = [...list.lines];
  for (const task of tasks) {
    const alone = { ...list, lines: [lines[task.line - 1] as string] };
    lines[task.line - 1] = setChecked(alone, { ...task, line: 1 }, false);
  }
  return lines.join("");
}

/** The loop's record afterwards: as if nothing after the checkpoint had been tried. */
export const undoneLoop = (loop: Loop, brief: HandOut, head: string): Loop => ({
  ...loop,
  stalled: 0,
  mark: "",
  furthest: brief.index,
  total: brief.total,
  ticked: brief.ticked,
  head,
  task: null,
  attempts: {},
  lastError: null,
  told: null,
});

// eslint-disable-next-line no-restricted-globals -- parsing a given time is pure
const timeOf = (iso: string): number => Date.parse(iso);
