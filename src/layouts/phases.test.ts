import { expect, it } from "vitest";
import { layouts } from "./all.ts";
import {
  commandAfter,
  inferPhase,
  phaseAfter,
  phaseBefore,
  phaseNamed,
  phasesOf,
} from "./phases.ts";
import { speckit } from "./speckit.ts";
import { specum } from "./specum.ts";

const ways = layouts.flatMap(({ id, phases, shortPhases }) => [
  { id, way: "long", phases },
  { id, way: "short", phases: shortPhases },
]);

it.each(ways)("$id, $way way: phases follow one another into execution", ({ phases }) => {
  const names = phases.map((phase) => commandAfter(phases, phase));
  expect(names).toEqual([...phases.slice(1).map(({ name }) => name), "implement"]);
  for (const phase of phases) {
    const next = phaseAfter(phases, phase);
    if (next !== undefined) expect(phaseBefore(phases, next)).toBe(phase);
    expect(phaseNamed(phases, phase.name)).toBe(phase);
  }
  expect(phaseNamed(phases, "execution")).toBeUndefined();
});

it.each(layouts)("$id: the short way is taken only if the state says so", (layout) => {
  expect(phasesOf(layout, {})).toBe(layout.phases);
  expect(phasesOf(layout, { small: false })).toBe(layout.phases);
  expect(phasesOf(layout, { small: true })).toBe(layout.shortPhases);
});

it.each([
  [specum, [], "research"],
  [specum, ["research.md"], "requirements"],
  [specum, ["research.md", "requirements.md", "design.md"], "tasks"],
  [specum, ["design.md"], "tasks"],
  [specum, ["tasks.md"], "execution"],
  [speckit, ["spec.md", "research.md"], "plan"],
  [speckit, ["spec.md", "plan.md", "tasks.md"], "execution"],
] as const)("%# by the documents that are there", (layout, documents, expected) => {
  const found = inferPhase(layout.phases, (document) =>
    (documents as readonly string[]).includes(document),
  );
  expect(typeof found === "string" ? found : found.name).toBe(expected);
});
