import { FROM_TERMINAL } from "../run/claim/receipt.ts";
import { formatCosts } from "../run/cost.ts";
import type { Entry } from "../run/journal.ts";
import type { Task, TaskList } from "../tasks/model.ts";
import { helpedIds, isVerifyTask } from "../tasks/tags.ts";
import { keepLines } from "../text/cut.ts";
import { quoteForShell } from "../text/quote.ts";
import { findNotes } from "../text/sections.ts";
import { oneLine } from "../text/template.ts";
import { counted, SHELL_PROGRAM } from "../text/wording.ts";
import { describeCounts } from "./classify.ts";
import type { SpecFacts } from "./spec-facts.ts";
import { fit, fitDecision, listed, MAX_TEXT, tellMore } from "./summary-lines.ts";
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
  /** The text of `.progress.md`. */
  readonly progress: string;
  /** Whether the work has settled a point of the notes. */
  readonly isSettled: (point: string) => boolean;
  /** Undefined outside git, or if nothing was handed out. */
  readonly work: RunWork | undefined;
}

/** What happened, with what came of it, for people. */
export interface Summary extends SpecFacts {
  readonly built: readonly { readonly phase: string | null; readonly tasks: readonly string[] }[];
  readonly assumptions: readonly string[];
  /** What the user was asked during the run, and decided. */
  readonly decided: readonly string[];
  readonly openPoints: readonly string[];
  /** What came of the last review; null if there was none. */
  readonly review: string | null;
  readonly work: RunWork | null;
}

/** Titles of one phase. */
const MAX_BUILT = 400;

export function planSummary(sources: SummaryFacts): Summary {
  const { list, facts, entries, progress, isSettled, work } = sources;
  const { tasks } = facts;
  const [review = null, ...findings] = reviewIn(entries);
  return {
    ...facts,
    built: builtIn(list, entries),
    assumptions: findAssumptions(progress, entries),
    decided: linesUnder(progress, FROM_USER).flatMap(
      (line) => /^execution: asked about (.+, you decided: .+)$/.exec(line)?.[1] ?? [],
    ),
    openPoints: [
      ...tasks.filter((one) => !one.done).map((one) => `${one.id} is ${one.class}: ${one.title}`),
      ...findings.map((finding) => `Review: ${finding}`),
      ...linesUnder(progress, OPEN_POINTS).filter((point) => !isSettled(point)),
    ],
    review,
    work: work ?? null,
  };
}

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
function linesUnder(progress: string, heading: RegExp): string[] {
  const lines = progress.split(/\r?\n/);
  const notes = findNotes(lines, (line) => heading.test(line));
  return (notes === undefined ? [] : lines.slice(notes.start + 1, notes.end))
    .map((line) => line.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, "").trim())
    .filter((line) => /[\p{L}\p{N}]/u.test(line) && !line.startsWith("#"));
}

/** As people read it, in `.progress.md` and in a terminal. */
export function renderSummary(summary: Summary): string {
  const { work, spent } = summary;
  return [
    [
      `${describeCounts(summary.counts)}.`,
      ...refusedLine(summary),
      ...(summary.review === null ? [] : [`Last review: ${oneLine(summary.review)}.`]),
      ...(spent === null ? [] : [`Cost: ${formatCosts(spent, summary.spentByPurpose)}.`]),
    ],
    listed(
      "Built:",
      summary.built.map(({ phase, tasks }) => {
        const titles = keepLines(
          tasks.map((title) => fit(title)),
          MAX_BUILT,
          tellMore,
        ).join("; ");
        return phase === null ? titles : `${fit(phase)}: ${titles}`;
      }),
      Infinity,
    ),
    listed("Not proven:", listWeaknesses(summary.tasks)),
    listed("Assumed for you:", summary.assumptions),
    listed("Decided by you:", summary.decided.map(fitDecision), Infinity),
    work === null ? [] : commitLines(work),
    listed("Open points:", summary.openPoints),
    work === null ? [] : wayLines(work),
  ]
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

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

/** `Refused on the way: 1.2 (2 times), 1.4.` */
function refusedLine({ tasks }: Summary): string[] {
  const refused = tasks.filter((task) => task.refused > 0);
  if (refused.length === 0) return [];
  const told = refused.map(({ id, refused: times }) =>
    times === 1 ? id : `${id} (${times} times)`,
  );
  return [`Refused on the way: ${keepLines(told, MAX_TEXT, tellMore).join(", ")}.`];
}

const short = (commit: string): string => commit.slice(0, 9);

/** The count is that of the range, as `git log` shows it. */
function commitLines({ branch, base, head, total, onlySpec, commits }: RunWork): string[] {
  const where = branch === undefined ? "" : ` on ${oneLine(branch, 100)}`;
  if (commits.length === 0) return [`No commits${where}, except of the spec's own files.`];
  const isKnown = onlySpec > 0 && onlySpec + commits.length === total;
  const aside = isKnown ? ` (${onlySpec} of them with only the spec's own files)` : "";
  return listed(
    `${counted(total, "commit")} in ${short(base)}..${short(head)}${where}${aside}:`,
    commits.map(({ commit, subject }) => `${short(commit)} ${subject}`),
  );
}

/** Where to go from here: keep it or not. */
function wayLines({ branch, from, task }: RunWork): string[] {
  const undo = `Undo: \`${SHELL_PROGRAM} undo ${quoteForShell(task)}\` shows what it would take back; with --yes it does.`;
  if (branch === undefined || from === undefined) return [undo];
  const [to, own] = [quoteForShell(from), quoteForShell(branch)];
  return [
    `Keep: \`git switch ${to} && git merge ${own}\`.`,
    `${undo} \`git switch ${to} && git branch -D ${own}\` drops the branch.`,
  ];
}
