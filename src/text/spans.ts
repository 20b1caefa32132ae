/** A piece of code in backticks. `start` and `end` include the backticks. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly code: string;
}

/** The code spans of a text: a run of backticks ends at the next run of the same length. */
export function readSpans(text: string): Span[] {
  let done = 0;
  return findPairs(text).filter(({ start, end }) => {
    if (start < done) return false;
    done = end;
    return true;
  });
}

/**
 * The span that each run of backticks would begin if it were not inside another. One pass over all runs: a regular
 * expression that searches for the end of each run again takes forever on a page of backticks.
 */
export function findPairs(text: string): Span[] {
  const runs = [...text.matchAll(/`+/g)].reverse();
  const nextOf = new Map<number, number>();
  const pairs: Span[] = [];
  for (const {
    0: { length },
    index: start,
  } of runs) {
    const next = nextOf.get(length);
    nextOf.set(length, start);
    if (next === undefined) continue;
    pairs.push({ start, end: next + length, code: text.slice(start + length, next) });
  }
  return pairs.reverse();
}
