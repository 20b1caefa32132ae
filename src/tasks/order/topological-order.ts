/** Picks one of the nodes that are free, lowest rank first; undefined gives up. */
type Choose = (free: readonly number[], last: number | undefined) => number | undefined;

/**
 * Orders nodes so that each comes before its followers. Of the free ones, the lowest rank is next, unless `choose`
 * takes another. Undefined if `choose` gives up, or if the nodes form a cycle.
 */
export function sequence(
  ranks: readonly number[],
  followers: readonly (readonly number[])[],
  choose: Choose = ([first]) => first,
): number[] | undefined {
  const rankOf = (node: number): number => ranks[node] as number;
  const waits = ranks.map(() => 0);
  for (const nodes of followers) for (const node of nodes) (waits[node] as number)++;
  const free = [...ranks.keys()]
    .filter((node) => waits[node] === 0)
    .sort((a, b) => rankOf(a) - rankOf(b));
  const order: number[] = [];
  while (order.length < ranks.length) {
    const next = choose(free, order.at(-1));
    if (next === undefined) return undefined;
    free.splice(free.indexOf(next), 1);
    order.push(next);
    for (const node of followers[next] ?? []) {
      if (--(waits[node] as number) > 0) continue;
      const at = free.findIndex((other) => rankOf(other) > rankOf(node));
      free.splice(at === -1 ? free.length : at, 0, node);
    }
  }
  return order;
}
