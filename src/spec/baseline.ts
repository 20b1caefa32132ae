import { field, listOf, objectOf, parseJson, recordOf, string } from "../text/schema.ts";
import { compareNumbered } from "./requirement-ids.ts";
import type { TraceProblem } from "./trace.ts";

/** Problems that a project accepts for now, by spec. Each is a code and what it is about: `no-evidence 1.1`. */
export type Baseline = ReadonlyMap<string, readonly string[]>;

/** Without a line number, so that an edit elsewhere in the file changes nothing. */
const entryOf = ({ code, about }: TraceProblem): string => `${code} ${about}`;

export const entriesOf = (problems: readonly TraceProblem[]): string[] =>
  [...new Set(problems.map(entryOf))].sort(compareNumbered);

export interface Split {
  /** Those that are not in the baseline. */
  readonly problems: readonly TraceProblem[];
  /** Those that are. */
  readonly known: readonly TraceProblem[];
  /** What the baseline accepts and is no longer there. */
  readonly stale: readonly string[];
}

export function splitProblems(
  problems: readonly TraceProblem[],
  accepted: readonly string[],
): Split {
  const entries = new Set(accepted);
  const found = new Set(problems.map(entryOf));
  return {
    problems: problems.filter((one) => !entries.has(entryOf(one))),
    known: problems.filter((one) => entries.has(entryOf(one))),
    stale: accepted.filter((entry) => !found.has(entry)),
  };
}

const baselineKind = objectOf({ specs: field(recordOf(listOf(string)), "") });

/** Undefined if the text is not a baseline. */
export function parseBaseline(text: string): Baseline | undefined {
  const value = parseJson(text);
  if (!baselineKind.is(value)) return undefined;
  return new Map(Object.entries(value.specs));
}

/** One problem a line, in a fixed order: a review shows what was added. */
export function formatBaseline(baseline: Baseline): string {
  const specs = [...baseline]
    .filter(([, entries]) => entries.length > 0)
    .sort(([a], [b]) => compareNumbered(a, b));
  const says = "Problems that `smart-ralph trace --check` accepts. Written by `trace --baseline`.";
  return `${JSON.stringify({ says, specs: Object.fromEntries(specs) }, null, 2)}\n`;
}
