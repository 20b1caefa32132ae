import type { BehaviourId } from "../behaviours.ts";
import type { Stage } from "../suite.ts";

/** What is tried in a client; `holds` are the behaviours that it has to show there. */
export type Scenario = (stage: Stage, holds: ReadonlySet<BehaviourId>) => Promise<void>;

/** No two are the same: some clients take repetition for a loop. */
export const reportOn = (id: string): string => `Wrote part ${id}.\n\nTASK_COMPLETE`;
