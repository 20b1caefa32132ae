import type { Times } from "./measure.ts";

/** One part of the measurements: what is printed, and what is out of bounds. */
export interface Section {
  readonly title: string;
  readonly text: string;
  readonly over: readonly string[];
}

/** Aims are for a quiet machine; only missing one by far is a failure. */
const MARGIN = 1.4;

export function tableOf(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  // The first column is words, all others are numbers.
  const rule = heads.map((_, column) => (column === 0 ? "---" : "---:"));
  return [line(heads), `|${rule.join("|")}|`, ...rows.map(line)].join("\n");
}

export const showRatio = (ratio: number): string => ratio.toFixed(2);

/** What something costs, as multiples of a bare node's start. */
export interface Cost {
  readonly name: string;
  readonly wall: number;
  readonly cpu: number;
  readonly aim?: number | undefined;
}

export const costOf = (times: Times, name: string, aim?: number): Cost => ({
  name,
  wall: times.wallRatio(name),
  cpu: times.cpuRatio(name),
  aim,
});

/** An aim is missed if both clocks say so: other work on the machine stretches one, and cold caches the other. */
const misses = ({ aim, wall, cpu }: Cost, margin: number): boolean =>
  aim !== undefined && Math.min(wall, cpu) > aim * margin;

/** `1.15`, or `1.15, missed`. */
export const showAim = (cost: Cost): string =>
  cost.aim === undefined ? "" : `${cost.aim}${misses(cost, 1) ? ", missed" : ""}`;

export function overAim(what: string, cost: Cost): string[] {
  if (!misses(cost, MARGIN)) return [];
  const { aim, wall, cpu } = cost;
  return [
    `${what}: ${showRatio(wall)} × bare node (processor: ${showRatio(cpu)}), the aim is ${aim}`,
  ];
}

/** One line that is overwritten on a terminal; elsewhere only the beginning is printed. */
export function progress(what: string, done: number, of: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${what}: ${done} of ${of}`);
  else if (done === 0) process.stderr.write(`${what}\n`);
  if (process.stderr.isTTY && done === of) process.stderr.write("\r\u001b[K");
}
