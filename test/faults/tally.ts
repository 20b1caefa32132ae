import { readFileSync } from "node:fs";
import { isFull } from "../support/full.ts";

/** How a fault is caused: a column of the table. */
export type Way = "died" | "SIGKILL" | "error" | "slow";

export interface Count {
  readonly scene: string;
  readonly way: Way;
  readonly points: number;
  readonly survived: number;
}

const WAYS: readonly Way[] = ["died", "SIGKILL", "error", "slow"];

/** What was tried and survived, a row for each scene: `survived/points`. */
export function renderTally(path: string): string {
  const counts = readFileSync(path, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Count);
  const cell = (of: readonly Count[]): string => {
    const sum = (key: "points" | "survived"): number => of.reduce((all, one) => all + one[key], 0);
    return of.length === 0 ? "" : `${sum("survived")}/${sum("points")}`;
  };
  const row = (name: string, of: readonly Count[]): string =>
    [
      name.padEnd(28),
      ...WAYS.map((way) => cell(of.filter((one) => one.way === way)).padStart(12)),
      cell(of).padStart(12),
    ].join("");
  const scenes = [...new Set(counts.map(({ scene }) => scene))];
  const head = ["".padEnd(28), ...[...WAYS, "all"].map((way) => way.padStart(12))].join("");
  const rows = scenes.map((scene) =>
    row(
      scene,
      counts.filter((one) => one.scene === scene),
    ),
  );
  return isFull
    ? [head, ...rows, row("all", counts)].join("\n")
    : `faults: ${cell(counts)} survived; npm run faults tries every point`;
}
