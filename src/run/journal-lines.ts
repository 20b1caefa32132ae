import { keepStart } from "../text/cut.ts";
import * as s from "../text/schema.ts";
import { OUTCOMES } from "./claim/evidence.ts";
import { verdictKind } from "./claim/verdict.ts";
import { costKind } from "./cost.ts";
import {
  amendmentKind,
  type Entry,
  entryKind,
  type EventName,
  LATER,
  laterFields,
} from "./journal.ts";

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

/** The events with which tasks go out. */
export const HAND_OUTS: ReadonlySet<EventName> = new Set([
  "start",
  "resume",
  "continue",
  "sent-back",
]);
const MAX_RECENT = 50;

/** What has happened since tasks, or the last review, were handed out, oldest first: a few lines, however long the journal is. */
export function parseRecent(tail: string): Entry[] {
  const lines = tail.split("\n");
  const recent: Entry[] = [];
  for (let i = lines.length - 1; i >= 0 && recent.length < MAX_RECENT; i--) {
    const entry = parseEntry(lines[i] as string);
    if (entry === undefined) continue;
    if (HAND_OUTS.has(entry.event) || entry.event === "review") break;
    recent.unshift(entry);
  }
  return recent;
}

function parseEntry(line: string): Entry | undefined {
  // A journal saved by an editor may begin with a byte order mark.
  if (!/^\uFEFF?\{/.test(line)) return undefined;
  const value = s.parseJson(line);
  const isEntry =
    entryKind.is(value) &&
    Object.entries(optional).every(([key, kind]) => fits(value, key, kind)) &&
    !s.isDeep(value);
  if (!isEntry) return undefined;
  const loop = { ...value.loop, ...LATER, ...s.readFields(laterFields, value.loop) };
  return { ...(value as unknown as Entry), loop };
}

/** Optional fields of an entry; another version, or a person, may have written something else there. */
const optional: Readonly<Record<string, s.Kind<unknown>>> = {
  note: s.string,
  task: s.string,
  uncommitted: s.listOf(s.string),
  left: s.listOf(s.string),
  commits: s.listOf(s.string),
  noChange: s.string,
  verdict: verdictKind,
  amendment: amendmentKind,
  held: s.recordOf(s.scalar),
  cost: costKind,
  evidence: s.listOf(
    s.objectOf({
      command: s.field(s.string, ""),
      outcome: s.field(s.oneOf(...OUTCOMES), ""),
      milliseconds: s.field(s.integer(0), ""),
      commit: s.field(s.string, ""),
      tail: s.field(s.string, ""),
    }),
  ),
};

const fits = (value: object, key: string, kind: s.Kind<unknown>): boolean => {
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
  const { left: _, uncommitted: __, commits: ___, ...short } = entry;
  return lineOf({ ...short, ...(evidence === undefined ? {} : { evidence }) }, 100);
}

function lineOf(entry: Entry, maxNote: number): string {
  const note = entry.note === undefined ? {} : { note: keepStart(entry.note, maxNote) };
  return `${JSON.stringify({ ...entry, ...note })}\n`;
}
