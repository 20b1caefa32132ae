import { findCycles } from "../tasks/order/cycles.ts";
import { sequence } from "../tasks/order/topological-order.ts";

/** Something with a name that waits for others by their names. */
interface Node {
  readonly name: string;
  readonly dependencies: readonly string[];
}

/** Each comes after what it depends on; otherwise, and if they form a cycle, the order is kept. */
export function orderSpecs<N extends Node>(specs: readonly N[]): readonly N[] {
  const behind: number[][] = specs.map(() => []);
  for (const { task, on } of edgesOf(specs)) behind[on]?.push(task);
  const order = sequence([...specs.keys()], behind);
  return order === undefined ? specs : order.map((index) => specs[index] as N);
}

/** Specs that wait for each other: one cycle for each knot, from its first spec on. */
export const findEpicCycles = (specs: readonly Node[]): string[][] =>
  findCycles(specs.length, edgesOf(specs)).map((cycle) =>
    cycle.map(({ task }) => (specs[task] as Node).name),
  );

/** A dependency that is not (yet) a spec of the epic leads nowhere. */
function edgesOf(specs: readonly Node[]): { readonly task: number; readonly on: number }[] {
  const indexes = new Map(specs.map(({ name }, index) => [name, index]));
  return specs.flatMap(({ dependencies }, task) =>
    [...new Set(dependencies)]
      .map((name) => indexes.get(name))
      .filter((on) => on !== undefined)
      .map((on) => ({ task, on })),
  );
}
