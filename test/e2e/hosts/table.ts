import type { Adapter } from "./adapter.ts";
import { BEHAVIOURS, type BehaviourId } from "./behaviours.ts";

/** The table of `docs/compatibility.md`: what holds in which client. A "yes" is a scenario that runs in that client. */
export function clientTable(adapters: readonly Adapter[]): string {
  const notes: string[] = [];
  const cellOf = ({ differences }: Adapter, id: BehaviourId): string => {
    const reason = differences[id];
    if (reason === undefined) return "yes";
    if (!notes.includes(reason)) notes.push(reason);
    return `no (${notes.indexOf(reason) + 1})`;
  };
  const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const rows = (Object.keys(BEHAVIOURS) as BehaviourId[]).map((id) => {
    const { says, scenario } = BEHAVIOURS[id];
    return row([says, ...adapters.map((adapter) => cellOf(adapter, id)), scenario]);
  });
  return [
    row(["", ...adapters.map(({ name, version }) => `${name} ${version}`), "scenario"]),
    `|${"---|".repeat(adapters.length + 2)}`,
    ...rows,
    ...(notes.length === 0 ? [] : ["", ...notes.map((note, index) => `${index + 1}. ${note}`)]),
  ].join("\n");
}
