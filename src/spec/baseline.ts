import type { TraceProblem } from "./trace.ts";

/** Problems that a project accepts for now, by spec. Each is a code and what it is about: `no-evidence 1.1`. */
export type Baseline = ReadonlyMap<string, readonly string[]>;

/** Without a line number, so that an edit elsewhere in the file changes nothing. */
const entryOf = ({ code, about }: TraceProblem): string => `${code} ${about}`;

export const entriesOf = (problems: readonly TraceProblem[]): string[] =>
  [...new Set(problems.map(entryOf))].sort(compare);

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

/** Undefined if the text is not a baseline. */
export function parseBaseline(text: string): Baseline | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value) || !isObject(value["specs"])) return undefined;
  const specs = Object.entries(value["specs"]);
  const isList = (list: unknown): list is string[] =>
    Array.isArray(list) && list.every((entry) => typeof entry === "string");
  if (!specs.every(([, list]) => isList(list))) return undefined;
  return new Map(specs as [string, string[]][]);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** One problem a line, in a fixed order: a review shows what was added. */
export function formatBaseline(baseline: Baseline): string {
  const specs = [...baseline]
    .filter(([, entries]) => entries.length > 0)
    .sort(([a], [b]) => compare(a, b));
  const says = "Problems that `smart-ralph trace --check` accepts. Written by `trace --baseline`.";
  return `${JSON.stringify({ says, specs: Object.fromEntries(specs) }, null, 2)}\n`;
}

const { compare } = new Intl.Collator("en", { numeric: true });
