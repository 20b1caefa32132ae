/** What became of a run: it works, it ended and released what it held, or its process died first. */
export type Fate =
  | { readonly kind: "at-work" }
  | { readonly kind: "ended" }
  | { readonly kind: "died"; readonly at: string };

/** From what a run holds or held: whether that is still so, and its last sign of life. */
export function fateFrom(
  held: readonly { readonly isAlive: boolean; readonly beat: string }[],
): Fate {
  if (held.some(({ isAlive }) => isAlive)) return { kind: "at-work" };
  const at = held
    .map(({ beat }) => beat)
    .toSorted()
    .at(-1);
  return at === undefined ? { kind: "ended" } : { kind: "died", at };
}
