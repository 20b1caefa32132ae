/** The candidate that a mistyped word most likely means; undefined if none is close. */
export function suggest(word: string, candidates: readonly string[]): string | undefined {
  const longer = candidates.filter((name) => name.startsWith(word));
  if (word.length > 1 && longer.length === 1) return longer[0];
  if (word.length < 2) return undefined;
  const scored = candidates
    .map((name) => ({ name, edits: countEdits(word, name) }))
    .sort((a, b) => a.edits - b.edits);
  const [best, second] = scored;
  // Two letters are close to many words.
  if (word.length < 3 && best?.edits === second?.edits) return undefined;
  return best !== undefined && best.edits <= Math.max(1, Math.floor(word.length / 3))
    ? best.name
    : undefined;
}

/** Letters to insert, remove, replace or swap with their neighbour. */
function countEdits(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 3 || a.length > 40) return Number.POSITIVE_INFINITY;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        (last[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (last[j - 1] as number) + (isSame ? 0 : 1),
        isSwap && i > 1 && j > 1 ? (before[j - 2] as number) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    before = last;
    last = row;
  }
  return last[b.length] as number;
}
