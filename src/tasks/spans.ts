/** A piece of code in backticks. `start` and `end` take the backticks in. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly code: string;
}

/**
 * The code spans of a text: a run of backticks ends at the next run of the same length. One pass over all runs: an
 * expression that looks for the end of each anew never comes to its own, given a page of backticks.
 */
export function readSpans(text: string): Span[] {
  const runs = [...text.matchAll(/`+/g)].map(({ 0: { length }, index }) => ({ index, length }));
  const nextOf = new Map<number, number>();
  const closing = new Map<number, number>();
  for (let i = runs.length - 1; i >= 0; i--) {
    const { length } = runs[i] as { length: number };
    const next = nextOf.get(length);
    if (next !== undefined) closing.set(i, next);
    nextOf.set(length, i);
  }
  const spans: Span[] = [];
  for (let i = 0; i < runs.length; i++) {
    const close = closing.get(i);
    if (close === undefined) continue;
    const { index: start, length } = runs[i] as { index: number; length: number };
    const { index } = runs[close] as { index: number };
    spans.push({ start, end: index + length, code: text.slice(start + length, index) });
    i = close;
  }
  return spans;
}
