import { groupBy } from "../text/group.ts";
import { oneLine, showCommand } from "../text/template.ts";
import { counted } from "../text/wording.ts";
import { FROM_TERMINAL } from "./claim/settled.ts";
import type { HandOut } from "./hand-out.ts";
import type { Entry, EventName } from "./journal.ts";
import { excerptFailure } from "./signal.ts";

const MAX_WHY = 160;
const MAX_TITLE = 60;
/** More would fill the screen. */
const MAX_TASKS = 4;

/** What has happened to tasks since the last hand-out, one part for each task: `✓ 2.3 proven (npm test, 2.1 s)`. */
export function tellVerdicts(recent: readonly Entry[], maxAttempts: number): string[] {
  // The line that announced the last review has told what came before it.
  const news = recent.slice(recent.findLastIndex(({ event }) => event === "review") + 1);
  const told = groupBy(
    news.filter(({ task, event }) => task !== undefined && VERDICTS.has(event)),
    ({ task = "" }) => task,
  );
  const lines = [...told].map(([id, entries]) => tellTask(id, entries, maxAttempts));
  const more = lines.length - MAX_TASKS;
  const shown =
    more > 0 ? [...lines.slice(0, MAX_TASKS), `and ${counted(more, "more task")}`] : lines;
  return [...tellDecisions(news), ...shown];
}

/** Decisions that nobody made in the client: `! 1.2 skipped from a terminal that is not the client's`. */
const tellDecisions = (news: readonly Entry[]): string[] =>
  news
    .filter(({ from, event }) => from === "terminal" && !VERDICTS.has(event))
    .map(({ task, event }) => `! ${task === undefined ? "" : `${task} `}${event} ${FROM_TERMINAL}`);

const VERDICTS: ReadonlySet<EventName> = new Set([
  "done",
  "accepted",
  "ticked",
  "refused",
  "failed",
]);

function tellTask(id: string, entries: readonly Entry[], maxAttempts: number): string {
  const last = entries.at(-1) as Entry;
  const refused = entries.filter(({ event }) => event === "refused");
  switch (last.event) {
    case "done":
    case "ticked": {
      const proof = tellProof(last);
      const why = refused.length === 0 ? "" : reasonOf(id, refused.at(-1)?.note);
      const sent =
        refused.length === 0 ? "" : ` after ${counted(refused.length, "refusal")} (${why})`;
      return `✓ ${id} ${proof}${sent}`;
    }
    case "accepted":
      return `✓ ${id} accepted ${last.from === undefined ? "by you" : FROM_TERMINAL}`;
    default: {
      const attempt = last.loop.attempts[id] ?? 1;
      // The attempt that failed, and not the one that comes next.
      const failed = last.event === "failed" ? attempt - 1 : attempt;
      const what = last.event === "failed" ? "failed" : "refused";
      return `✗ ${id} ${what}: ${reasonOf(id, last.note)} · attempt ${failed} of ${maxAttempts}`;
    }
  }
}

function tellProof({ verdict, evidence = [] }: Entry): string {
  if (evidence.length === 0) return "reported (nothing to run)";
  const ms = evidence.reduce((sum, one) => sum + one.milliseconds, 0);
  const [first] = evidence;
  const command = showCommand(first?.command ?? "", 40);
  const more = evidence.length > 1 ? ` and ${evidence.length - 1} more` : "";
  const time = ms < 50 ? "" : `, ${(ms / 1000).toFixed(1)} s`;
  const why = verdict?.class === "checked" ? `; ${verdict.weakness ?? ""}` : "";
  return `${verdict?.class ?? "done"} (${command}${more}${time}${why})`;
}

const ADVICE =
  /(?:Fix the cause(?:, then report again)?|Look again, and report what you see)\.\s*$/;

/** A note without what the line says anyway, and without the advice that is for agents. */
export function plainReason(id: string, note: string): string {
  const known = `${id} is not done: `;
  const bare = note.trimStart().startsWith(known) ? note.trimStart().slice(known.length) : note;
  return bare.replace(ADVICE, "").trimEnd();
}

/** The same in a few words. */
export const reasonOf = (id: string, note = ""): string =>
  excerptFailure(plainReason(id, note), MAX_WHY).replace(/(?<![.\s])[.\s]+$/, "");

/** Where the run is after that: `3 of 6 · next 2.4 Write the parser`. */
export function tellPlace({ ticked, total, current }: HandOut): string {
  const [first, ...others] = current;
  const next =
    first === undefined
      ? ""
      : others.length > 0
        ? ` · next ${current.map(({ id }) => id).join(", ")}`
        : ` · next ${first.id} ${oneLine(first.title, MAX_TITLE)}${first.attempt > 1 ? ` (attempt ${first.attempt})` : ""}`;
  return `${ticked} of ${total}${next}`;
}

/** All reports that were refused, and why the last one was. */
export function tellRefusals(entries: readonly Entry[]): string {
  const refused = entries.filter(({ event }) => event === "refused");
  const last = refused.at(-1);
  return last === undefined
    ? ""
    : `${counted(refused.length, "report")} refused; last: ${last.task === undefined ? "" : `${last.task}: `}${reasonOf(last.task ?? "", last.note)}`;
}

/** The last part of the line without our name: events have already told the rest. */
export const bareLine = (say: string): string =>
  (say.split(" · ").at(-1) ?? "").replace(/^Ralph-\w+: /, "");
