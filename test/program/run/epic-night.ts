import type { DemoScene } from "../../../src/agents/demo/script.ts";
import type { RunEvent } from "../../../src/runner/events.ts";
import { makeNight, type Night } from "./night.ts";
import { listOf, type Row } from "./scenes.ts";

/** A spec of an epic: its tasks, if it has documents yet, and the specs that it depends on. */
export interface Member {
  readonly rows?: readonly Row[];
  readonly after?: readonly string[];
}

/** An epic `big` with these specs. Task ids have to be unique across specs, because scenes go by them. */
export function makeEpicNight(
  specs: Readonly<Record<string, Member>>,
  scenes: readonly DemoScene[] = [],
  settings = "",
): Night {
  const rows = Object.values(specs).flatMap((one) => one.rows ?? []);
  const epic = {
    name: "big",
    goal: "everything",
    specs: Object.entries(specs).map(([name, { after = [] }]) => ({
      name,
      goal: `what ${name} is for`,
      status: "pending",
      dependencies: after,
    })),
  };
  return makeNight({
    rows,
    scenes,
    settings,
    files: {
      // Not part of the epic.
      "specs/demo/tasks.md": listOf(rows).replaceAll("- [ ]", "- [x]"),
      "specs/_epics/big/.epic-state.json": `${JSON.stringify(epic, null, 2)}\n`,
      ...Object.fromEntries(
        Object.entries(specs).flatMap(([name, { rows: own }]) =>
          own === undefined ? [] : [[`specs/${name}/tasks.md`, listOf(own)]],
        ),
      ),
    },
  });
}

export const rowsOf = (...ids: readonly string[]): Row[] => ids.map((id) => ({ id }));

type Started = Extract<RunEvent, { kind: "attempt-started" | "attempt-ended" }>;

/** The most specs (or whatever `by` picks) that agents worked on at the same time. */
export function mostAtOnce(
  events: readonly RunEvent[],
  by: (event: Started) => string = ({ spec }) => spec,
): readonly string[] {
  const now = new Set<string>();
  let most: readonly string[] = [];
  for (const event of events) {
    if (event.kind === "attempt-started") now.add(by(event));
    if (event.kind === "attempt-ended") now.delete(by(event));
    if (now.size > most.length) most = [...now];
  }
  return [...most].sort();
}
