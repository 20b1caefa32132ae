import { oneLine } from "../text/template.ts";
import { REVIEW } from "./agents-out.ts";
import type { Loop } from "./journal.ts";
import type { Settings } from "./settings.ts";
import { hasSignal } from "./signal.ts";
import { isWaiting, type State } from "./state.ts";

/**
 * Whether the whole change should be reviewed before the run ends: once, if a turn is left for it. `auto` is for quick
 * mode, in which nobody has looked at anything.
 */
export const isReviewDue = (
  { review }: Pick<Settings, "review">,
  state: State,
  loop: Loop,
): boolean =>
  loop.review === null &&
  (review === "on" || (review === "auto" && state.quickMode === true)) &&
  loop.iteration < loop.maxIterations &&
  !isWaiting(state);

/** How often a review is asked for if its answers are inconclusive. */
export const MAX_REVIEWS = 2;

/** How many inconclusive answers there have been. */
export const inconclusiveReviews = ({ attempts }: Loop): number => attempts[REVIEW] ?? 0;

const NO_VERDICT = "it gave no verdict, so nobody has reviewed the whole change";
const NO_FINDING = "it failed the change but did not say why, so nobody knows what is wrong";

/** Why an answer is inconclusive, for the user: it neither passes the change nor says what is wrong with it. */
export function whyInconclusive(report: string): string | undefined {
  if (parseReview(report).length > 0 || hasSignal(report, "REVIEW_PASS")) return undefined;
  return hasSignal(report, "REVIEW_FAIL") ? NO_FINDING : NO_VERDICT;
}

/** The same for the journal's note about the last review. */
export const isInconclusive = (note: string | undefined): note is string =>
  note === NO_VERDICT || note === NO_FINDING;

const SEVERITIES = ["critical", "major", "minor"] as const;

export interface Finding {
  readonly severity: (typeof SEVERITIES)[number];
  /** Where, what and how to fix it, in the reviewer's words. */
  readonly text: string;
}

const FINDING =
  /^[\s>*_`+-]*(?:FINDING:[\s*_`]*)?(critical|major|minor)[*_`]*(?:\s*[|:,–—-]\s*|\s+)(\S.*)$/is;

/** The findings of a review, worst first: `severity | place | what is wrong | fix`, or `FINDING: severity what`. */
export function parseReview(report: string): Finding[] {
  const found = report.split("\n").flatMap((line): Finding[] => {
    const [, word = "", text = ""] = FINDING.exec(line.trim()) ?? [];
    const severity = SEVERITIES.find((one) => one === word.toLowerCase());
    return severity === undefined ? [] : [{ severity, text: oneLine(text, MAX_TEXT) }];
  });
  return SEVERITIES.flatMap((severity) => found.filter((one) => one.severity === severity)).slice(
    0,
    MAX_FINDINGS,
  );
}

const MAX_TEXT = 500;
/** As many as the reviewer is asked for. */
const MAX_FINDINGS = 10;
