import { FROM_TERMINAL } from "../run/claim/settled.ts";
import type { Entry } from "../run/journal.ts";
import type { Task, TaskList } from "../tasks/model.ts";
import { helpedIds, isVerifyTask } from "../tasks/tags.ts";
import { linesBelow } from "../text/sections.ts";
import { oneLine } from "../text/template.ts";
import { tellSetback } from "./setback.ts";
import type { SpecFacts } from "./spec-facts.ts";
import type { TaskFacts } from "./task-facts.ts";

/** The heading of the summary in `.progress.md`. */
export const SUMMARY = "Summary";

/** What a run left in git. */
export interface RunWork {
  /** Undefined if none is checked out. */
  readonly branch: string | undefined;
  /** The branch that this one was made from, if that is known. */
  readonly from: string | undefined;
  /** Where the first task began, and its id: `undo` goes back there. */
  readonly base: string;
  readonly task: string;
  /** The last commit that changes more than the spec's own files; the base if there is none. */
  readonly head: string;
  /** How many commits there are from the base to that one. */
  readonly total: number;
  /** How many of them change only the spec's own files. If there are very many commits, only the newest are looked at. */
  readonly onlySpec: number;
  /** All others, oldest first. */
  readonly commits: readonly { readonly commit: string; readonly subject: string }[];
}

/** What is known of a spec's run when it ends, or so far. */
export interface SummaryFacts {
  readonly list: TaskList;
  readonly facts: SpecFacts;
  readonly entries: readonly Entry[];
  /** What it is for, in one line. */
  readonly goal: string | undefined;
  /** The text of `.progress.md`. */
  readonly progress: string;
  /** Whether the work has settled a point of the notes. */
  readonly isSettled: (point: string) => boolean;
  /** Undefined outside git, or if nothing was handed out. */
  readonly work: RunWork | undefined;
}

/** What happened, with what came of it, for people. */
export interface Summary extends SpecFacts {
  readonly goal: string | null;
  readonly built: readonly { readonly phase: string | null; readonly tasks: readonly string[] }[];
  /** Why tasks took more than one attempt. */
  readonly setbacks: readonly string[];
  readonly assumptions: readonly string[];
  /** What the user was asked during the run, and decided. */
  readonly decided: readonly string[];
  readonly openPoints: readonly string[];
  /** What came of the last review; null if there was none. */
  readonly review: string | null;
  readonly work: RunWork | null;
}

export function planSummary(sources: SummaryFacts): Summary {
  const { list, facts, entries, goal = null, progress, isSettled, work } = sources;
  const { tasks } = facts;
  const [review = null, ...findings] = reviewIn(entries);
  const decided = linesUnder(progress, FROM_USER).flatMap(
    (line) => /^execution: asked about (.+, you decided: .+)$/.exec(line)?.[1] ?? [],
  );
  const isOpen = (point: string): boolean => !decided.some((one) => asksAbout(one, point));
  return {
    ...facts,
    goal,
    built: builtIn(list, entries),
    setbacks: tasks.flatMap((one) => (one.done ? (tellSetback(one) ?? []) : [])),
    assumptions: findAssumptions(progress, entries).filter(isOpen),
    decided,
    openPoints: [
      ...tasks.filter((one) => !one.done).map((one) => `${one.id} is ${one.class}: ${one.title}`),
      ...findings.map((finding) => `Review: ${finding}`),
      ...linesUnder(progress, OPEN_POINTS).filter((point) => isOpen(point) && !isSettled(point)),
    ],
    review,
    work: work ?? null,
  };
}

/**
 * Whether a decision was asked for with the words of a point of the notes. A question in other words may be about
 * something else: then both are told.
 */
function asksAbout(decision: string, point: string): boolean {
  const question = wordsIn(/"(.+)", you decided: /.exec(decision)?.[1] ?? "");
  const said = wordsIn(point.replace(/^(?:[a-z]+: )?[*_`]*(?:OPEN|CONFLICT|RISK)\b/, ""));
  const [short, long] = said.length < question.length ? [said, question] : [question, said];
  return short.length >= MIN_WORDS && ` ${long.join(" ")} `.includes(` ${short.join(" ")} `);
}

/** Fewer could be found by chance. */
const MIN_WORDS = 4;

const wordsIn = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** What came of the last review, and then the findings that nobody was sent for. */
function reviewIn(entries: readonly Entry[]): string[] {
  const last = entries.findLast(({ event }) => event === "review" || event === "reviewed");
  if (last === undefined) return [];
  return last.event === "review" ? ["no report"] : (last.note ?? "").split("\n");
}

/** Titles of what was done, by phase. A check builds nothing, and a fix nothing that is not there already. */
function builtIn({ tasks, phases }: TaskList, entries: readonly Entry[]): Summary["built"] {
  const found = new Set(
    entries.flatMap(({ event, note }) => (event === "reviewed" ? fixesIn(note) : [])),
  );
  const isFix = (task: Task): boolean => helpedIds(task, "FIX").length > 0 || found.has(task.id);
  const made = tasks.filter((task) => task.checked && !isVerifyTask(task) && !isFix(task));
  return [...new Set(made.map(({ phase }) => phase))].map((phase) => ({
    phase: phases[phase]?.title ?? null,
    tasks: made.filter((task) => task.phase === phase).map(({ title }) => title),
  }));
}

/** The tasks that came of a review: `2 findings became 1.4, 1.5`. */
const fixesIn = (note = ""): string[] =>
  /^\d+ findings? became ([^\n]+)/.exec(note)?.[1]?.split(", ") ?? [];

const INTERVIEW = /^##\s+Interview\s*$/i;
const FROM_USER = /^##\s+From the User\s*$/;
const OPEN_POINTS = /^##\s+Open (?:Questions|Points)\s*$/i;

/** In quick mode nobody was asked, so whatever is there was assumed; otherwise only what says so. */
function findAssumptions(progress: string, entries: readonly Entry[]): string[] {
  const isQuick = entries.some(({ held }) => held?.quickMode === true);
  return (
    linesUnder(progress, INTERVIEW)
      .filter((line) => isQuick || /\bassum/i.test(line))
      // They are listed under "Assumed for you".
      .map((line) => line.replace(/^[*_]*Assum(?:ed|ptions?)(?::[*_]*|[*_]+:)\s*(?=\S)/i, ""))
  );
}

/** What is listed under a heading of the notes, one text per item. */
const linesUnder = (progress: string, heading: RegExp): string[] =>
  linesBelow(progress, (line) => heading.test(line))
    .map((line) => line.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, "").trim())
    .filter((line) => /[\p{L}\p{N}]/u.test(line) && !line.startsWith("#"));

/** What is less than proven, and why: `1.2, 1.3: its Verify passed before the work`. */
export function listWeaknesses(
  tasks: readonly Pick<TaskFacts, "id" | "class" | "design" | "weakness" | "note">[],
): string[] {
  const weak = tasks
    .filter(
      ({ class: is, design, note }) =>
        is === "reported" ||
        (is === "checked" && design === null) ||
        (is === "accepted" && note?.includes(FROM_TERMINAL) === true),
    )
    .map(({ id, class: is, weakness, note }) => {
      const why = weakness ?? note ?? "there was nothing to run";
      return { id, why: why.startsWith(is) ? why : `${is}: ${why}` };
    });
  return [...new Set(weak.map(({ why }) => why))].map((why) => {
    const ids = weak.filter((task) => task.why === why).map(({ id }) => id);
    return `${oneLine(ids.join(", "), 60)} ${why}`;
  });
}
