/** `task` waits for `on`; both are indexes. */
interface Edge {
  readonly task: number;
  readonly on: number;
}

/**
 * One cycle for each knot of tasks, or of specs, that wait for each other. It begins at the knot's first task and takes
 * the shortest way around, so the message is short and the same on every run.
 */
export function findCycles<E extends Edge>(count: number, edges: readonly E[]): E[][] {
  const from: E[][] = Array.from({ length: count }, () => []);
  const to: E[][] = Array.from({ length: count }, () => []);
  for (const edge of edges) {
    from[edge.task]?.push(edge);
    to[edge.on]?.push(edge);
  }
  const cycles: E[][] = [];
  /** In no cycle, or in a known knot. */
  const done = new Set<number>();
  for (let start = 0; start < count; start++) {
    const loop = from[start]?.find((edge) => edge.on === start);
    if (loop !== undefined) cycles.push([loop]);
    if (done.has(start)) continue;
    done.add(start);
    const reached = new Map<number, E>();
    const queue = [start];
    let closing: E | undefined;
    for (const task of queue) {
      for (const edge of from[task] ?? []) {
        if (edge.on === start && task !== start) closing ??= edge;
        if (done.has(edge.on) || reached.has(edge.on)) continue;
        reached.set(edge.on, edge);
        queue.push(edge.on);
      }
    }
    if (closing === undefined) continue;
    const cycle = [closing];
    for (let at = closing; at.task !== start; cycle.push(at)) at = reached.get(at.task) as E;
    cycles.push(cycle.reverse());
    // The rest of the knot: what can be reached from its first task and leads back to it.
    const knot = [start];
    for (const on of knot) {
      for (const { task } of to[on] ?? []) {
        if (!reached.has(task) || done.has(task)) continue;
        done.add(task);
        knot.push(task);
      }
    }
  }
  return cycles;
}

/** `1.1 → 1.2 → 1.1`; a long way round is cut. */
export function formatCycle(names: readonly string[]): string {
  const shown = names.length > 8 ? [...names.slice(0, 7), `… (${names.length - 7} more)`] : names;
  return [...shown, names[0]].join(" → ");
}
