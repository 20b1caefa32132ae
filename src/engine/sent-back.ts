import { readAllEntries } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";

/** How often a sub-agent is sent back to fix what it called done. */
const MAX_TIMES = 2;

/**
 * Whether an agent that was just refused gets another chance. Searches the whole journal: with many agents at work, its
 * tail may not hold all of this one's reports.
 */
export const mayTryAgain = (spec: Spec, agent: string): boolean =>
  readAllEntries(spec).filter((entry) => entry.event === "refused" && entry.agent === agent)
    .length <= MAX_TIMES;
