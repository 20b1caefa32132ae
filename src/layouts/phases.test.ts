import { expect, it } from "vitest";
import { layouts } from "./all.ts";
import { commandAfter, inferPhase, phaseAfter, phaseBefore, phaseNamed } from "./phases.ts";
import { speckit } from "./speckit.ts";
import { specum } from "./specum.ts";

it.each(layouts)("$id: phases follow one another into execution", (layout) => {
  const names = layout.phases.map((phase) => commandAfter(layout, phase));
  expect(names).toEqual([...layout.phases.slice(1).map(({ name }) => name), "implement"]);
  for (const phase of layout.phases) {
    const next = phaseAfter(layout, phase);
    if (next !== undefined) expect(phaseBefore(layout, next)).toBe(phase);
    expect(phaseNamed(layout, phase.name)).toBe(phase);
  }
  expect(phaseNamed(layout, "execution")).toBeUndefined();
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
  const found = inferPhase(layout, (document) =>
    (documents as readonly string[]).includes(document),
  );
  expect(typeof found === "string" ? found : found.name).toBe(expected);
});
