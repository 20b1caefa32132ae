import * as v from "valibot";

/**
 * The loop's own record, which the agent has no reason to touch. Each line of the journal carries
 * the whole record, so that the last line is enough: reading does not grow with the journal, and the bounds
 * of the loop hold even when the state file loses every counter.
 */
const LoopSchema = v.object({
  run: v.pipe(v.string(), v.description("One `implement` or `resume` to its end.")),
  began: v.pipe(v.string(), v.description("When the run began, ISO 8601.")),
  session: v.pipe(v.nullable(v.string()), v.description("The client session it is bound to.")),
  iteration: v.pipe(v.number(), v.description("Which turn of the run this is.")),
  maxIterations: v.pipe(v.number(), v.description("Turns before the loop stops.")),
  maxAttempts: v.pipe(v.number(), v.description("Attempts at one task before the loop stops.")),
  continued: v.pipe(v.number(), v.description("Stops of this session that we answered with a prompt.")),
  stalled: v.pipe(v.number(), v.description("Continuations in a row that moved nothing.")),
  mark: v.pipe(v.string(), v.description("What was on disk at the last continuation.")),
  furthest: v.pipe(v.number(), v.description("Highest task index seen, so that going back is no movement.")),
  total: v.pipe(v.number(), v.description("Tasks at the last look.")),
  task: v.pipe(v.nullable(v.string()), v.description("The task that was handed out last.")),
  attempts: v.pipe(
    v.record(v.string(), v.number()),
    v.description("Attempts begun at each task that has failed and is not done."),
  ),
  lastError: v.pipe(v.nullable(v.string()), v.description("Why the last failed attempt failed.")),
  told: v.pipe(
    v.nullable(v.picklist(["corrupt", "limit", "stalled", "exhausted"])),
    v.description("A reason to stop that has been said and is not said again."),
  ),
  open: v.pipe(v.boolean(), v.description("False once the run is finished or cancelled.")),
});

export const JournalEntrySchema = v.pipe(
  v.looseObject({
    at: v.pipe(v.string(), v.description("When, ISO 8601.")),
    event: v.pipe(v.string(), v.description("What happened.")),
    note: v.optional(v.pipe(v.string(), v.description("The same in words."))),
    task: v.optional(v.pipe(v.string(), v.description("Which task it is about."))),
    loop: LoopSchema,
  }),
  v.title("Smart Ralph journal line"),
  v.description("One JSON object a line, only ever appended. Never committed to git."),
);

export type Loop = Readonly<v.InferOutput<typeof LoopSchema>>;
export type EventName =
  | "start"
  | "resume"
  | "continue"
  | "sent-back"
  | "phase"
  | "done"
  | "failed"
  | "refused"
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
  | "service-error";

export interface Entry {
  readonly at: string;
  readonly event: EventName;
  readonly note?: string;
  readonly task?: string;
  readonly loop: Loop;
}

/** The newest readable entries of a journal's tail, oldest first; torn or foreign lines are passed over. */
export function parseJournal(tail: string): Entry[] {
  const entries: Entry[] = [];
  for (const line of tail.split("\n")) {
    const entry = parseEntry(line);
    if (entry !== undefined) entries.push(entry);
  }
  return entries;
}

/** The last readable entry alone: all that a stop needs. */
export function parseLastEntry(tail: string): Entry | undefined {
  const lines = tail.split("\n");
  for (let i = lines.length - 1; i >= 0; i--) {
    const entry = parseEntry(lines[i] as string);
    if (entry !== undefined) return entry;
  }
  return undefined;
}

function parseEntry(line: string): Entry | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return v.is(JournalEntrySchema, value) ? (value as unknown as Entry) : undefined;
  } catch {
    return undefined;
  }
}

/** Kept well below the tail that is read, so that the tail always holds a whole line. */
export const MAX_NOTE = 2000;

export function formatEntry(entry: Entry): string {
  const note = entry.note === undefined ? {} : { note: entry.note.slice(0, MAX_NOTE) };
  return `${JSON.stringify({ ...entry, ...note })}\n`;
}
