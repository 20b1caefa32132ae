/** Neighbours that look the same become one, the last of them, with how many there were. */
export function mergeRepeats<T>(
  all: readonly T[],
  look: (one: T) => string,
): { readonly one: T; readonly times: number }[] {
  const merged: { one: T; times: number }[] = [];
  for (const one of all) {
    const last = merged.at(-1);
    if (last !== undefined && look(last.one) === look(one))
      merged.splice(-1, 1, { one, times: last.times + 1 });
    else merged.push({ one, times: 1 });
  }
  return merged;
}

export const tellTimes = (times: number): string => (times === 1 ? "" : ` (${times} times)`);
