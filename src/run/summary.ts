import { fieldOf } from "../tasks/fields.ts";
import type { TaskList } from "../tasks/model.ts";
import { isVerifyTask } from "../tasks/tags.ts";
import { quoteForShell } from "../text/quote.ts";
import { findNotes } from "../text/sections.ts";
import { oneLine } from "../text/template.ts";
import { counted, SHELL_PROGRAM } from "../text/wording.ts";
import { isProof } from "./claim/evidence.ts";
import { isAccepted, isFromTerminal, isWord } from "./claim/receipt-check.ts";
import { FROM_TERMINAL, type ReceiptLine } from "./claim/receipt.ts";
import { formatCosts, type Spent, spentByPurpose, spentOn } from "./cost.ts";
import type { Entry } from "./journal.ts";

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
  readonly receipt: readonly ReceiptLine[];
  readonly entries: readonly Entry[];
  /** The text of `.progress.md`. */
  readonly progress: string;
  /** Undefined outside git, or if nothing was handed out. */
  readonly work: RunWork | undefined;
}

export interface Summary {
  readonly total: number;
  readonly done: number;
  readonly proven: number;
  readonly accepted: number;
  /** Of these, from a terminal that is not the client's. */
  readonly foreign: number;
  /** Ticked by hand: somebody's word. */
  readonly unproven: number;
  readonly withoutVerify: number;
  /** With a Verify that was not run, could not have failed, or failed where that is only recorded. */
  readonly unchecked: number;
  readonly built: readonly { readonly phase: string | null; readonly tasks: readonly string[] }[];
  readonly assumptions: readonly string[];
  /** What the user was asked during the run, and decided. */
  readonly decided: readonly string[];
  readonly openPoints: readonly string[];
  readonly spent: Spent | null;
  readonly spentByPurpose: ReturnType<typeof spentByPurpose>;
  /** What came of the last review; null if there was none. */
  readonly review: string | null;
  readonly work: RunWork | null;
}

/** Pages are read by people: more lines of a kind would hide the rest. */
const MAX_LINES = 12;
const MAX_TEXT = 200;

export function planSummary({ list, receipt, entries, progress, work }: SummaryFacts): Summary {
  const done = receipt.filter((line) => line.done);
  const proven = done.filter(({ evidence }) => isProof(evidence));
  const rest = done.filter((line) => !proven.includes(line));
  const accepted = rest.filter(({ note }) => isAccepted(note));
  const unproven = rest.filter(({ note }) => isWord(note));
  const reported = rest.filter((line) => !accepted.includes(line) && !unproven.includes(line));
  const verified = new Set(
    list.tasks.filter((task) => fieldOf(list, task, "verify")).map(({ id }) => id),
  );
  const withoutVerify = reported.filter(({ id }) => !verified.has(id)).length;
  const [review = null, ...findings] = reviewIn(entries);
  return {
    total: receipt.length,
    done: done.length,
    proven: proven.length,
    accepted: accepted.length,
    foreign: accepted.filter(({ note }) => isFromTerminal(note)).length,
    unproven: unproven.length,
    withoutVerify,
    unchecked: reported.length - withoutVerify,
    built: builtIn(list),
    assumptions: findAssumptions(progress, entries),
    decided: linesUnder(progress, FROM_USER).flatMap(
      (line) => /^execution: asked about (.+, you decided: .+)$/.exec(line)?.[1] ?? [],
    ),
    openPoints: [
      ...receipt.filter((line) => !line.done).map(({ id, title }) => `${id} is open: ${title}`),
      ...unproven.map(({ id, title }) => `${id} was ticked by hand, nothing proves it: ${title}`),
      ...findings.map((finding) => `Review: ${finding}`),
      ...linesUnder(progress, OPEN_POINTS),
    ],
    spent: spentOn(entries),
    spentByPurpose: spentByPurpose(entries),
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

/** Titles of what was done, by phase; a check builds nothing. */
function builtIn({ tasks, phases }: TaskList): Summary["built"] {
  const made = tasks.filter((task) => task.checked && !isVerifyTask(task));
  return [...new Set(made.map(({ phase }) => phase))].map((phase) => ({
    phase: phases[phase]?.title ?? null,
    tasks: made.filter((task) => task.phase === phase).map(({ title }) => title),
  }));
}

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
      proofLine(summary),
      ...(summary.review === null ? [] : [`Last review: ${oneLine(summary.review)}.`]),
      ...(spent === null ? [] : [`Cost: ${formatCosts(spent, summary.spentByPurpose)}.`]),
    ],
    listed(
      "Built:",
      summary.built.map(({ phase, tasks }) =>
        phase === null ? tasks.join("; ") : `${phase}: ${tasks.join("; ")}`,
      ),
      MAX_LINES,
      400,
    ),
    listed("Assumed for you:", summary.assumptions),
    listed("Decided by you:", summary.decided),
    work === null ? [] : commitLines(work),
    listed("Open points:", summary.openPoints),
    work === null ? [] : wayLines(work),
  ]
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

function proofLine(summary: Summary): string {
  const { total, done, proven, accepted, foreign, unproven, withoutVerify, unchecked } = summary;
  const parts = [
    `${proven} proven by ${proven === 1 ? "its" : "their"} Verify`,
    ...(accepted === foreign ? [] : [`${accepted - foreign} accepted by you`]),
    ...(foreign === 0 ? [] : [`${foreign} accepted ${FROM_TERMINAL}`]),
    ...(unproven === 0 ? [] : [`${unproven} ticked by hand`]),
    ...(withoutVerify === 0 ? [] : [`${withoutVerify} without a Verify`]),
    ...(unchecked === 0 ? [] : [`${unchecked} with a Verify that proves nothing`]),
  ];
  return `${done} of ${counted(total, "task")} done: ${parts.join(", ")}.`;
}

function listed(
  title: string,
  items: readonly string[],
  max = MAX_LINES,
  width = MAX_TEXT,
): string[] {
  if (items.length === 0) return [];
  const more = items.length - max;
  return [
    title,
    ...items.slice(0, max).map((item) => `- ${oneLine(item, width)}`),
    ...(more > 0 ? [`- and ${more} more`] : []),
  ];
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
