import {
  boolean,
  field,
  integer,
  isDeep,
  type Kind,
  listOf,
  nullable,
  objectOf,
  oneOf,
  recordOf,
  scalar,
  string,
  type ValuesOf,
} from "../text/schema.ts";
import type { Evidence } from "./claim/evidence.ts";

/**
 * The loop's own record, which the agent has no reason to touch. Each line of the journal carries the whole record, so
 * the last line is enough: reading does not slow down as the journal grows, and the bounds of the loop hold even if the
 * state file loses every counter.
 */
const loopFields = {
  run: field(string, "One `implement` or `resume` to its end."),
  began: field(string, "When the run began, ISO 8601."),
  session: field(nullable(string), "The client session it is bound to."),
  iteration: field(integer(1), "Which turn of the run this is."),
  maxIterations: field(integer(1), "Turns before the loop stops."),
  maxAttempts: field(integer(1), "Attempts at one task before the loop stops."),
  continued: field(integer(0), "Stops of this session that we answered with a prompt."),
  stalled: field(integer(0), "Continuations in a row that moved nothing."),
  mark: field(string, "What was on disk at the last continuation."),
  furthest: field(
    integer(0),
    "Highest task index seen, so that going back does not count as movement.",
  ),
  total: field(integer(0), "Tasks at the last look."),
  ticked: field(
    nullable(integer(0)),
    "Ticked boxes at the last look, to notice a box that nobody reported.",
  ),
  head: field(string, "The commit at which the current task was handed out; empty outside git."),
  task: field(nullable(string), "The last task handed out."),
  attempts: field(
    recordOf(integer(1)),
    "Attempts begun at each task that has failed and is not done.",
  ),
  lastError: field(nullable(string), "Why the last failed attempt failed."),
  told: field(
    nullable(oneOf("corrupt", "limit", "stalled", "exhausted")),
    "A reason to stop that was reported and is not repeated.",
  ),
  open: field(boolean, "False once the run is finished or cancelled."),
};

export type Loop = ValuesOf<typeof loopFields>;

export type EventName =
  | "start"
  | "resume"
  | "continue"
  | "sent-back"
  | "phase"
  | "done"
  | "accepted"
  | "ticked"
  | "before"
  | "amended"
  | "heard"
  | "failed"
  | "refused"
  | "claimed"
  | "fix-added"
  | "split"
  | "added"
  | "undone"
  | "corrupt"
  | "limit"
  | "exhausted"
  | "stalled"
  | "finished"
  | "cancelled"
  | "paused"
  | "awaiting"
  | "approved"
  | "repaired"
  | "lost"
  | "service-error"
  | "session-ended";

const entryKind = objectOf({
  at: field(string, "When, ISO 8601."),
  event: field(string, "What happened; `task` and `note` may say more."),
  loop: field(objectOf(loopFields), "The record of the loop after this event."),
});

export const journalSchema = (): object => ({
  $schema: "http://json-schema.org/draft-07/schema#",
  title: "Smart Ralph journal line",
  description: "One JSON object per line, append-only. Never committed to git.",
  ...entryKind.schema,
});

export interface Entry {
  readonly at: string;
  readonly event: EventName;
  readonly note?: string;
  readonly task?: string;
  /** The sub-agent that reported, if known. */
  readonly agent?: string;
  /** What we ran to check the claim, and the result. */
  readonly evidence?: readonly Evidence[];
  /** The state as we left it: an agent that edits it later does not change what the user decided. */
  readonly held?: UserDecisions;
  readonly loop: Loop;
}

/** Fields of the state that only the user's commands and our own decisions may change. */
export interface UserDecisions {
  readonly phase?: string;
  readonly quickMode?: boolean;
  readonly commitSpec?: boolean;
  readonly paused?: boolean;
  readonly awaitingApproval?: boolean;
}

/** The newest readable entries of a journal's tail, oldest first; torn or foreign lines are skipped. */
export function parseJournal(tail: string): Entry[] {
  const entries: Entry[] = [];
  for (const line of tail.split("\n")) {
    const entry = parseEntry(line);
    if (entry !== undefined) entries.push(entry);
  }
  return entries;
}

/** Only the last readable entry: all that a stop needs. */
export function parseLastEntry(tail: string): Entry | undefined {
  const lines = tail.split("\n");
  for (let i = lines.length - 1; i >= 0; i--) {
    const entry = parseEntry(lines[i] as string);
    if (entry !== undefined) return entry;
  }
  return undefined;
}

function parseEntry(line: string): Entry | undefined {
  // A journal saved by an editor may begin with a byte order mark.
  const text = line.startsWith("\uFEFF") ? line.slice(1) : line;
  if (!text.startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const isEntry =
      entryKind.is(value) &&
      Object.entries(optional).every(([key, kind]) => fits(value, key, kind)) &&
      !isDeep(value);
    return isEntry ? (value as Entry) : undefined;
  } catch {
    return undefined;
  }
}

/** Optional fields of an entry; another version, or a person, may have written something else there. */
const optional: Readonly<Record<string, Kind<unknown>>> = {
  note: string,
  task: string,
  held: recordOf(scalar),
  evidence: listOf(
    objectOf({
      command: field(string, ""),
      outcome: field(oneOf("passed", "failed", "timed-out", "unrun"), ""),
      milliseconds: field(integer(0), ""),
      commit: field(string, ""),
      tail: field(string, ""),
    }),
  ),
};

const fits = (value: object, key: string, kind: Kind<unknown>): boolean => {
  const own = (value as Record<string, unknown>)[key];
  return own === undefined || kind.is(own);
};

const MAX_NOTE = 2000;
/** In characters, each up to three bytes: the tail that is read always holds a whole line. */
const MAX_LINE = 20_000;

export function formatEntry(entry: Entry): string {
  const line = lineOf(entry, MAX_NOTE);
  if (line.length <= MAX_LINE) return line;
  // Control characters take six times the space. The loop's record must fit, whatever else is left out.
  const evidence = entry.evidence?.map((one) => ({
    ...one,
    command: one.command.slice(0, 100),
    tail: "",
  }));
  return lineOf({ ...entry, ...(evidence === undefined ? {} : { evidence }) }, 100);
}

function lineOf(entry: Entry, maxNote: number): string {
  const note = entry.note === undefined ? {} : { note: entry.note.slice(0, maxNote) };
  return `${JSON.stringify({ ...entry, ...note })}\n`;
}
