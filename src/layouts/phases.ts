import { EXECUTION, type Layout, type Phase } from "./layout.ts";

export const phaseNamed = (layout: Layout, name: string | undefined): Phase | undefined =>
  layout.phases.find((phase) => phase.name === name);

/** Undefined after the last one: execution follows. */
export const phaseAfter = (layout: Layout, phase: Phase): Phase | undefined =>
  layout.phases[layout.phases.indexOf(phase) + 1];

export const phaseBefore = (layout: Layout, phase: Phase): Phase | undefined =>
  layout.phases[layout.phases.indexOf(phase) - 1];

/** The command that approves a phase's document and continues. */
export const commandAfter = (layout: Layout, phase: Phase): string =>
  phaseAfter(layout, phase)?.name ?? "implement";

/**
 * Where a spec without a state is, judged by its documents: after the last one that exists. People skip phases, and
 * older versions left specs without a state.
 */
export function inferPhase(
  layout: Layout,
  has: (document: string) => boolean,
): Phase | typeof EXECUTION {
  const last = layout.phases.findLastIndex(({ document }) => has(document));
  return layout.phases[last + 1] ?? EXECUTION;
}
