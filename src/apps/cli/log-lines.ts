import { dayOf, localTime } from "../../engine/local-time.ts";
import { describeEvidence } from "../../run/claim/verification.ts";
import { HAND_OUTS } from "../../run/journal-lines.ts";
import type { Entry, EventName } from "../../run/journal.ts";
import { mergeRepeats, tellTimes } from "../../text/repeats.ts";
import { oneLine } from "../../text/template.ts";
import type { Paint } from "./paint.ts";

/** What an event is called where its own name says too little. */
const SAID: Readonly<Partial<Record<EventName, string>>> = {
  start: "run started with",
  resume: "run resumed with",
  continue: "next is",
  "sent-back": "sent back to",
  phase: "began the phase",
  ticked: "ticked by hand",
  amended: "Verify changed",
  heard: "report not accepted yet",
  "fix-added": "fix task added",
  corrupt: "state unusable",
  limit: "turn limit reached",
  exhausted: "all attempts used",
  stalled: "no progress",
  awaiting: "waits for your approval",
  lost: "task missing from tasks.md",
  "service-error": "the client could not finish its turn",
  "session-ended": "session ended",
};

const GOOD: ReadonlySet<EventName> = new Set(["done", "accepted", "approved", "finished"]);
const BAD: ReadonlySet<EventName> = new Set([
  "refused",
  "failed",
  "heard",
  "lost",
  "stalled",
  "limit",
  "exhausted",
  "corrupt",
  "service-error",
]);

/** One line for each event: when, what, which task, and why. A new day gets a line of its own. */
export function renderEntries(
  entries: readonly Entry[],
  style: Paint,
  before: Entry | undefined,
  now: string,
): string[] {
  let day = dayAt(before?.at ?? now);
  const look = (entry: Entry): string => dayAt(entry.at) + tellEntry(entry, style);
  return mergeRepeats(entries, look).flatMap(({ one: entry, times }) => {
    const time = style.dim(localTime(entry.at, entry.at));
    const line = `${time}  ${tellEntry(entry, style)}${tellTimes(times)}`;
    if (dayAt(entry.at) === day) return [line];
    day = dayAt(entry.at);
    return [style.dim(day), line];
  });
}

const dayAt = (iso: string): string => dayOf(new Date(iso));

/** An event in the words of people. */
export function tellEntry(
  entry: Pick<Entry, "event" | "task" | "note" | "evidence"> & Partial<Pick<Entry, "loop">>,
  { bold, good, bad }: Pick<Paint, "bold" | "good" | "bad">,
): string {
  const { event, task, note, evidence = [], loop } = entry;
  const colour = GOOD.has(event) ? good : BAD.has(event) ? bad : (text: string): string => text;
  const mark = GOOD.has(event) ? "✓" : BAD.has(event) ? "✗" : HAND_OUTS.has(event) ? "→" : "·";
  const id = task ?? (HAND_OUTS.has(event) ? loop?.task : undefined);
  // What is said about a task includes how its Verify ended.
  const fact = oneLine(note ?? evidence.map(describeEvidence).join(", "), 300);
  const where = id === undefined || id === null ? "" : ` ${bold(oneLine(id, 40))}`;
  const said = colour(`${mark} ${SAID[event] ?? oneLine(String(event), 30)}`);
  return `${said}${where}${fact === "" ? "" : `: ${fact}`}`;
}
