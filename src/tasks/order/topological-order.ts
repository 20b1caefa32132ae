/**
 * Puts nodes in an order in which each comes behind those it must follow, and among the free ones
 * that of the lowest rank is next. `behind[n]` are the nodes that must follow n. `choose` may take
 * another one than the lowest: it gets the first free node of each lane, and giving up (undefined)
 * ends the attempt. Undefined too where the nodes go in a circle.
 */
export function sequence(
  ranks: readonly number[],
  behind: readonly (readonly number[])[],
  lanes?: { readonly of: (node: number) => number; readonly choose: Choose },
): number[] | undefined {
  const waits = ranks.map(() => 0);
  for (const nodes of behind) for (const node of nodes) waits[node] = (waits[node] ?? 0) + 1;
  const heaps: number[][] = [];
  const laneOf = lanes?.of ?? (() => 0);
  const free = (node: number): void => push((heaps[laneOf(node)] ??= []), node, ranks);
  for (const [node, count] of waits.entries()) if (count === 0) free(node);

  const order: number[] = [];
  while (order.length < ranks.length) {
    const tops = Array.from(heaps, (heap) => heap?.[0]);
    const next = lanes === undefined ? tops[0] : lanes.choose(tops, order.at(-1));
    if (next === undefined) return undefined;
    pop(heaps[laneOf(next)] as number[], ranks);
    order.push(next);
    for (const node of behind[next] ?? []) {
      const left = (waits[node] as number) - 1;
      waits[node] = left;
      if (left === 0) free(node);
    }
  }
  return order;
}

type Choose = (
  tops: readonly (number | undefined)[],
  last: number | undefined,
) => number | undefined;

/** A binary heap: sorting anew at each step would be quadratic. */
function push(heap: number[], node: number, ranks: readonly number[]): void {
  let at = heap.length;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const above = heap[parent] as number;
    if ((ranks[above] as number) <= (ranks[node] as number)) break;
    heap[at] = above;
    at = parent;
  }
  heap[at] = node;
}

function pop(heap: number[], ranks: readonly number[]): void {
  const last = heap.pop() as number;
  if (heap.length === 0) return;
  const rank = (node: number | undefined): number =>
    node === undefined ? Infinity : (ranks[node] as number);
  let at = 0;
  for (;;) {
    const left = 2 * at + 1;
    const child = rank(heap[left + 1]) < rank(heap[left]) ? left + 1 : left;
    if (rank(heap[child]) >= rank(last)) break;
    heap[at] = heap[child] as number;
    at = child;
  }
  heap[at] = last;
}
