import type { Evidence } from "../run/claim/evidence.ts";
import type { TaskClass } from "../run/claim/verdict.ts";

/** What came of running a ticked task's Verify again, compared with what was recorded. */
export type Verdict =
  | "proven-again"
  | "passes"
  | "proves-nothing"
  | "broken-since"
  | "not-proven"
  | "not-run"
  | "not-allowed"
  | "red"
  | "nothing-to-run";

export const VERDICTS: Readonly<Record<Verdict, string>> = {
  "proven-again": "proven again",
  passes: "passes",
  "proves-nothing": "proves nothing",
  "broken-since": "broken since",
  "not-proven": "not proven",
  "not-run": "could not be run",
  "not-allowed": "skipped: not allowed",
  red: "skipped: [RED]",
  "nothing-to-run": "nothing to run",
};

const FAILURES: ReadonlySet<Verdict> = new Set<Verdict>([
  "broken-since",
  "not-proven",
  "not-run",
  "not-allowed",
]);

/** Whether it has something to run that did not pass. */
export const isFailure = (verdict: Verdict): boolean => FAILURES.has(verdict);

export function judgeAgain(
  recorded: TaskClass,
  now: readonly Pick<Evidence, "outcome" | "doubt">[],
): Verdict {
  const isProven = recorded === "proven";
  if (now.some(({ outcome }) => outcome === "unrun")) return "not-run";
  if (now.some(({ outcome }) => outcome !== "passed"))
    return isProven ? "broken-since" : "not-proven";
  if (now.every(({ doubt }) => doubt !== undefined)) return "proves-nothing";
  return isProven ? "proven-again" : "passes";
}
