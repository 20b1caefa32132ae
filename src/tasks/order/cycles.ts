/** `task` waits for `on`; both are indexes. */
interface Edge {
  readonly task: number;
  readonly on: number;
}

/**
 * One circle for each knot of tasks, or of specs, that wait for one another. Each begins at the knot's first task
 * and goes the shortest way round, so that the message is the same at every run and as short as it can be.
 */
export function findCycles<E extends Edge>(count: number, edges: readonly E[]): E[][] {
  const from: E[][] = Array.from({ length: count }, () => []);
  for (const edge of edges) from[edge.task]?.push(edge);
  const knots = findKnots(from);
  const done = new Set<number>();
  const cycles: E[][] = [];
  for (let task = 0; task < count; task++) {
    const knot = knots[task] as number;
    const loop = from[task]?.find((edge) => edge.on === task);
    if (loop !== undefined) cycles.push([loop]);
    if (done.has(knot)) continue;
    const cycle = shortestCycle(task, from, (other) => knots[other] === knot);
    if (cycle !== undefined) {
      done.add(knot);
      cycles.push(cycle);
    }
  }
  return cycles;
}

/** Breadth first from `start` back to it, within its knot. */
function shortestCycle<E extends Edge>(
  start: number,
  from: readonly (readonly E[])[],
  isInside: (task: number) => boolean,
): E[] | undefined {
  const reached = new Map<number, E>();
  const queue = [start];
  for (const task of queue) {
    for (const edge of from[task] ?? []) {
      if (edge.on === edge.task || !isInside(edge.on)) continue;
      if (edge.on === start) {
        const path = [edge];
        for (let at = task; at !== start; at = (path.at(-1) as E).task) {
          path.push(reached.get(at) as E);
        }
        return path.reverse();
      }
      if (reached.has(edge.on)) continue;
      reached.set(edge.on, edge);
      queue.push(edge.on);
    }
  }
  return undefined;
}

/** Tarjan's strongly connected components, by number. Without recursion: a chain may be 10,000 long. */
function findKnots(from: readonly (readonly Edge[])[]): number[] {
  const order: number[] = [];
  const low: number[] = [];
  const knots: number[] = [];
  const open: number[] = [];
  const next: number[] = [];
  let time = 0;
  for (let root = 0; root < from.length; root++) {
    if (order[root] !== undefined) continue;
    const path = [root];
    while (path.length > 0) {
      const task = path.at(-1) as number;
      if (order[task] === undefined) {
        order[task] = low[task] = time++;
        next[task] = 0;
        open.push(task);
      }
      const edge = from[task]?.[next[task] as number];
      if (edge !== undefined) {
        if (order[edge.on] === undefined) {
          path.push(edge.on);
          continue;
        }
        if (knots[edge.on] === undefined)
          low[task] = Math.min(low[task] as number, low[edge.on] as number);
        next[task] = (next[task] as number) + 1;
        continue;
      }
      path.pop();
      if (low[task] !== order[task]) continue;
      for (let member = -1; member !== task;) {
        member = open.pop() as number;
        knots[member] = task;
      }
    }
  }
  return knots;
}
