import type { Adapter } from "./adapter.ts";
import { type Behaviour, BEHAVIOURS, type BehaviourId } from "./behaviours.ts";

/** The table of `docs/compatibility.md`: what holds in which client. A "yes" is a scenario that runs in that client. */
export function clientTable(adapters: readonly Adapter[]): string {
  const notes: string[] = [];
  const noted = (text: string, note: string | undefined): string => {
    if (note === undefined) return text;
    if (!notes.includes(note)) notes.push(note);
    return `${text} (${notes.indexOf(note) + 1})`;
  };
  const cellOf = ({ differences }: Adapter, id: BehaviourId): string =>
    id in differences ? noted("no", differences[id]) : "yes";
  const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const rows = (Object.keys(BEHAVIOURS) as BehaviourId[]).map((id) => {
    const { says, scenario, but }: Behaviour = BEHAVIOURS[id];
    return row([noted(says, but), ...adapters.map((adapter) => cellOf(adapter, id)), scenario]);
  });
  return [
    row(["", ...adapters.map(({ name, version }) => `${name} ${version}`), "scenario"]),
    `|${"---|".repeat(adapters.length + 2)}`,
    ...rows,
    ...(notes.length === 0 ? [] : ["", ...notes.map((note, index) => `${index + 1}. ${note}`)]),
  ].join("\n");
}
