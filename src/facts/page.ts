import { stripMarkup } from "../run/change/recovery.ts";
import { formatCosts } from "../run/cost.ts";
import { keepLines } from "../text/cut.ts";
import { quoteForShell } from "../text/quote.ts";
import { oneLine } from "../text/template.ts";
import { counted, SHELL_PROGRAM } from "../text/wording.ts";
import { describeCounts } from "./classify.ts";
import { listWeaknesses, type RunWork, type Summary } from "./summary.ts";

/** A title, and under it lines that begin with `- `; empty if there is nothing to say. */
export type Section = readonly string[];

/** The page on a spec as it is kept in `.progress.md`, next to the table of the receipt. */
export const renderPage = (summary: Summary): string =>
  [
    headOf(summary),
    builtIn(summary),
    ...sectionsOf([summary], listed("Setbacks:", summary.setbacks)),
    workIn(summary),
    listed("Open points:", summary.openPoints),
    wayOf(summary),
  ]
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");

/** How far it is, and what it took. */
export const headOf = ({ counts, spent, spentByPurpose }: Summary): string[] => [
  `${describeCounts(counts)}.`,
  ...(spent === null ? [] : [`Cost: ${formatCosts(spent, spentByPurpose)}.`]),
];

/** What is worth knowing about these specs, however it is shown. */
export function sectionsOf(specs: readonly Summary[], setbacks: Section): Section[] {
  const from = (pick: (one: Summary) => readonly string[]): string[] =>
    specs.flatMap((one) =>
      pick(one).map((line) => (specs.length > 1 ? `${one.spec}: ${line}` : line)),
    );
  const weak = from(({ tasks }) => listWeaknesses(tasks));
  const assumed = from(({ assumptions }) => assumptions);
  const decided = from((one) => one.decided.map(fitDecision));
  const reviews = from(({ review }) => (review === null ? [] : [`${oneLine(review)}.`]));
  return [
    ...reviews.map((review) => [`Last review: ${review}`]),
    listed("Not proven:", weak),
    setbacks,
    listed("Assumed for you:", assumed),
    listed("Decided by you:", decided, Infinity),
  ];
}

/** Titles of one phase. */
const MAX_BUILT = 400;

const builtIn = ({ built }: Summary): Section =>
  listed(
    "Built:",
    built.map(({ phase, tasks }) => {
      const titles = keepLines(
        tasks.map((title) => fit(title)),
        MAX_BUILT,
        tellMore,
      ).join("; ");
      return phase === null ? titles : `${fit(phase)}: ${titles}`;
    }),
    Infinity,
  );

const short = (commit: string): string => commit.slice(0, 9);

/** Its commits. The count is that of the range, as `git log` shows it. */
export function workIn({ work }: Pick<Summary, "work">): Section {
  if (work === null) return [];
  const { branch, base, head, total, onlySpec, commits } = work;
  const where = branch === undefined ? "" : ` on ${oneLine(branch, 100)}`;
  if (commits.length === 0) return [`No commits${where}, except of the spec's own files.`];
  const isKnown = onlySpec > 0 && onlySpec + commits.length === total;
  const aside = isKnown ? ` (${onlySpec} of them with only the spec's own files)` : "";
  return listed(
    `${counted(total, "commit")} in ${short(base)}..${short(head)}${where}${aside}:`,
    commits.map(({ commit, subject }) => `${short(commit)} ${subject}`),
  );
}

/** Where to go from here: keep it or not, once there is something. */
export function wayOf({ work, counts }: Pick<Summary, "work" | "counts">): string[] {
  if (work === null || counts.done + work.commits.length === 0) return [];
  const { branch, from, task }: RunWork = work;
  const undo = `Undo: \`${SHELL_PROGRAM} undo ${quoteForShell(task)}\` shows what it would take back; with --yes it does.`;
  if (branch === undefined || from === undefined) return [undo];
  const [to, own] = [quoteForShell(from), quoteForShell(branch)];
  return [
    `Keep: \`git switch ${to} && git merge ${own}\`.`,
    `${undo} \`git switch ${to} && git branch -D ${own}\` drops the branch.`,
  ];
}

/** Pages are read by people: more lines of a kind would hide the rest. */
const MAX_LINES = 12;
const MAX_TEXT = 200;
const MAX_ANSWER = 300;

const tellMore = (count: number): string => `… and ${count} more`;

export function listed(title: string, items: readonly string[], width = MAX_TEXT): string[] {
  if (items.length === 0) return [];
  const more = items.length - MAX_LINES;
  return [
    title,
    ...items.slice(0, MAX_LINES).map((item) => `- ${fit(item, width)}`),
    ...(more > 0 ? [`- ${tellMore(more)}`] : []),
  ];
}

/** What has to be cut loses its marks: half of a pair would change the rest of the page. */
function fit(text: string, width = MAX_TEXT): string {
  const line = oneLine(text, Infinity);
  return line.length > width ? stripMarkup(line, width) : line;
}

/** The answer is what counts: the question is cut first. */
function fitDecision(text: string): string {
  const at = text.indexOf(ANSWER);
  if (at === -1) return fit(text);
  const answer = fit(text.slice(at + ANSWER.length), MAX_ANSWER);
  return `${fit(text.slice(0, at), Math.max(60, MAX_TEXT - answer.length))}${ANSWER}${answer}`;
}

const ANSWER = `", you decided: `;
