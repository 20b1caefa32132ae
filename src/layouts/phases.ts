import { EXECUTION, type Layout, type Phase } from "./layout.ts";

/** The way of a spec to its tasks: all phases, or for a small goal only one planning document. */
export const phasesOf = (
  { phases, shortPhases }: Layout,
  { small }: { readonly small?: boolean | undefined },
): readonly Phase[] => (small === true ? shortPhases : phases);

/** Of all phases, each once; the last one, which all layouts have, comes last. */
export const phaseNamesOf = (layouts: readonly Layout[]): readonly string[] =>
  layouts
    .flatMap(({ phases }) => phases.map(({ name }) => name))
    .filter((name, i, list) => list.lastIndexOf(name) === i);

export const phaseNamed = (phases: readonly Phase[], name: string | undefined): Phase | undefined =>
  phases.find((phase) => phase.name === name);

/** Undefined after the last one: execution follows. */
export const phaseAfter = (phases: readonly Phase[], { name }: Phase): Phase | undefined =>
  phases[phases.findIndex((phase) => phase.name === name) + 1];

export const phaseBefore = (phases: readonly Phase[], { name }: Phase): Phase | undefined =>
  phases[phases.findIndex((phase) => phase.name === name) - 1];

/** The command that approves a phase's document and continues. */
export const commandAfter = (phases: readonly Phase[], phase: Phase): string =>
  phaseAfter(phases, phase)?.name ?? "implement";

/**
 * Where a spec without a state is, judged by its documents: after the last one that exists. People skip phases, and
 * older versions left specs without a state.
 */
export function inferPhase(
  phases: readonly Phase[],
  has: (document: string) => boolean,
): Phase | typeof EXECUTION {
  const last = phases.findLastIndex(({ document }) => has(document));
  return phases[last + 1] ?? EXECUTION;
}
