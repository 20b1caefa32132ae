import type { Layout } from "../layouts/layout.ts";
import type { State } from "./state.ts";

/** Whether a spec's name is the program's, made from the goal's words, and the work has only begun. */
export const isProvisional = ({ phases, shortPhases }: Layout, state: State): boolean =>
  state.nameBy === "program" && [phases[0]?.name, shortPhases[0]?.name].includes(state.phase);
