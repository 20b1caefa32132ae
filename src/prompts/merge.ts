import type { Edition } from "../layouts/layout.ts";
import type { SpecRef } from "../run/hand-out.ts";
import { quoteName, quotePath } from "../text/quote.ts";
import { clean, fill, oneLine } from "../text/template.ts";
import template from "./merge.md";
import refit from "./refit.md";
import { wordsOf } from "./words.ts";

/** One side of a conflict: its commits, and what it changed in the files that conflict. */
export interface ConflictSide {
  readonly commits: readonly string[];
  readonly diff: string;
  readonly isCut: boolean;
}

export interface MergeOrders {
  /** Undefined if a whole spec is merged into its epic. */
  readonly task?: string;
  readonly title: string;
  readonly files: readonly string[];
  readonly ours: ConflictSide;
  readonly theirs: ConflictSide;
  /** The task's own Verify, as shown. */
  readonly verify?: string;
  /** What the user has said about it. */
  readonly decided?: readonly string[];
}

const MAX_FILES = 20;

/** The prompt for an agent that resolves a conflict. */
export function renderMerge(layout: Edition, spec: SpecRef, orders: MergeOrders): string {
  const { task, title, files, ours, theirs, verify, decided = [] } = orders;
  const shown = files.slice(0, MAX_FILES).map((name) => quotePath(name));
  const more = files.length > MAX_FILES ? ` and ${files.length - MAX_FILES} more` : "";
  return fill(template, {
    ...wordsOf(layout, spec),
    what: task === undefined ? "all tasks" : `task ${quoteName(task)}`,
    title: oneLine(title, 200),
    files: shown.join(", ") + more,
    ours: commitsOf(ours),
    theirs: commitsOf(theirs),
    oursDiff: diffOf(ours),
    theirsDiff: diffOf(theirs),
    verify: verify === undefined ? "" : `Afterwards this has to pass: ${verify}`,
    decided: decidedOf(decided),
  }).trimEnd();
}

/** The prompt for an agent that makes a finished spec work together with the other specs of its epic. */
export const renderRefit = (
  layout: Edition,
  spec: SpecRef,
  failures: readonly string[],
  decided: readonly string[],
): string =>
  fill(refit, {
    ...wordsOf(layout, spec),
    failures: failures
      .slice(0, MAX_FILES)
      .map((one) => `- ${oneLine(one, 500)}`)
      .join("\n"),
    decided: decidedOf(decided),
  }).trimEnd();

/** Adds why the previous agent's work was not accepted. */
export const withRefusal = (prompt: string, refusal: string | undefined): string =>
  refusal === undefined
    ? prompt
    : `${prompt}\n\nThe work of the agent before you was not accepted: ${oneLine(refusal, 500)}`;

const decidedOf = (decided: readonly string[]): string =>
  decided.map((one) => `The user has decided: ${oneLine(one, 600)}`).join("\n");

const commitsOf = ({ commits }: ConflictSide): string =>
  commits.length === 0 ? "no commit names these files" : commits.join("; ");

/** Fenced with more backticks than the diff has in a row. */
function diffOf({ diff, isCut }: ConflictSide): string {
  const text = clean(diff).trimEnd();
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}diff\n${text}\n${isCut ? "… (cut; git diff has it all)\n" : ""}${fence}\n`;
}
