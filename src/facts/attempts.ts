import { isDoubt } from "../run/claim/task-history.ts";
import { HAND_OUTS } from "../run/journal-lines.ts";
import type { Entry } from "../run/journal.ts";
import { groupOf } from "../tasks/groups.ts";
import type { TaskList } from "../tasks/model.ts";

/**
 * One try at a task, as it ended. `interrupted`: whoever had it never reported. `heard`: a report without a claim. What
 * spends no attempt: `asked`, it waited for the user's answer; `doubted` and `replaced`, its agent called its Verify wrong;
 * `by-program`, its Verify was run before anybody was sent, and failed.
 */
export interface Attempt {
  readonly at: string;
  readonly end:
    | "done"
    | "refused"
    | "failed"
    | "heard"
    | "interrupted"
    | "asked"
    | "doubted"
    | "replaced"
    | "by-program";
  readonly reason: string | null;
  readonly agent: string | null;
}

const UNSPENT: ReadonlySet<Attempt["end"]> = new Set([
  "asked",
  "doubted",
  "replaced",
  "by-program",
]);

export const isSpent = ({ end }: Pick<Attempt, "end">): boolean => !UNSPENT.has(end);

export interface TaskAttempts {
  readonly attempts: readonly Attempt[];
  /** When it was first handed out. */
  readonly began: string | null;
}

interface Tries {
  readonly attempts: Attempt[];
  began: string | null;
  /** Somebody has it, since then. */
  out: { readonly at: string; readonly run: string; readonly isSent: boolean } | undefined;
  /** The program is about to run its Verify, and nobody was sent since. */
  isByProgram: boolean;
}

/** Every try at each task, oldest first, in one pass over the journal. */
export function planAttempts(
  list: TaskList,
  entries: readonly Entry[],
): ReadonlyMap<string, TaskAttempts> {
  const all = new Map<string, Tries>(
    list.tasks.map(({ id }) => [
      id,
      { attempts: [], began: null, out: undefined, isByProgram: false },
    ]),
  );
  const groups = new Map(list.tasks.map((task) => [task.id, task]));
  for (const entry of entries) {
    if (entry.event === "delegated") noteOut(all.get(entry.task ?? ""), entry, true);
    else if (HAND_OUTS.has(entry.event)) {
      const first = groups.get(entry.loop.task ?? "");
      for (const { id } of first === undefined ? [] : groupOf(list, first))
        noteOut(all.get(id), entry, false);
    } else noteEnd(all.get(entry.task ?? ""), entry);
  }
  return all;
}

/** A task that is out already, and goes out again to somebody else, was interrupted. */
function noteOut(
  tries: Tries | undefined,
  { at, loop: { run, session } }: Entry,
  isSent: boolean,
): void {
  if (tries === undefined) return;
  const { out } = tries;
  // Typed in a shell, where nobody was there to work on it.
  if (out !== undefined && !isSent && session === null) return;
  const isNew = out === undefined || out.run !== run || (isSent && out.isSent);
  if (out !== undefined && isNew && tries.attempts.at(-1)?.end !== "done")
    tries.attempts.push({ at: out.at, end: "interrupted", reason: null, agent: null });
  tries.began ??= at;
  tries.isByProgram = false;
  tries.out = { at: isNew ? at : out.at, run, isSent: isSent || (!isNew && out.isSent) };
}

const ENDS: Readonly<Partial<Record<Entry["event"], Attempt["end"]>>> = {
  done: "done",
  refused: "refused",
  failed: "failed",
  heard: "heard",
};

function endIn(
  { out, isByProgram }: Tries,
  { event, note, agent }: Entry,
): Attempt["end"] | undefined {
  if (event === "asked" && out !== undefined) return "asked";
  if (event === "heard" && isDoubt(note)) return "doubted";
  return event === "refused" && isByProgram && agent === undefined ? "by-program" : ENDS[event];
}

function noteEnd(tries: Tries | undefined, entry: Entry): void {
  if (tries === undefined) return;
  const { at, event, note, agent } = entry;
  const end = endIn(tries, entry);
  const last = tries.attempts.at(-1);
  // A refusal that nobody can answer is recorded as a failure as well.
  const isSame = event === "failed" && last?.end === "refused" && tries.out === undefined;
  // Nobody tried again: the last check does not believe what had been accepted.
  const isOver = end === "refused" || end === "failed";
  const isReopened = isOver && last?.end === "done";
  // The user keeps the Verify that its agent called wrong.
  const isKept = event === "failed" && last?.end === "doubted";
  if ((isReopened || isKept) && tries.out === undefined) tries.attempts.pop();
  if (event === "amended" && last?.end === "doubted")
    tries.attempts[tries.attempts.length - 1] = { ...last, end: "replaced" };
  if (event === "ready" || end !== undefined) tries.isByProgram = event === "ready";
  if (end !== undefined && !isSame)
    tries.attempts.push({ at, end, reason: note ?? null, agent: agent ?? null });
  if (end !== undefined || event === "accepted" || event === "ticked") tries.out = undefined;
}
