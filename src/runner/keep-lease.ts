import { oneLine } from "../text/template.ts";
import type { Assignment, Assignments } from "./assignments.ts";
import type { Stage } from "./stage.ts";

export const tellLost = (name: string): string => `${name} no longer belongs to this run`;

/** How often a lease is renewed. */
const BEAT_MS = 20_000;

/**
 * Renews a lease until it is released. A beat that fails, for example because the disk is full, is told once and tried
 * again. If the unit belongs to another worker now, the run is over.
 */
export function keepLease(
  { heartbeat, release }: Pick<Assignments, "heartbeat" | "release">,
  { emit, lose }: Pick<Stage, "emit" | "lose">,
  assignment: Assignment,
  name: string,
): { readonly release: () => Promise<void> } {
  let isTold = false;
  const beat = async (): Promise<void> => {
    try {
      if (!(await heartbeat(assignment))) lose(tellLost(name));
      isTold = false;
    } catch (error) {
      if (isTold) return;
      const why = oneLine(error instanceof Error ? error.message : String(error), 300);
      emit({
        kind: "note",
        text: `the claim to ${name} could not be renewed: ${why}; it is tried again`,
      });
      isTold = true;
    }
  };
  // What cannot be told now, because the disk is full, is told at the next beat.
  const timer = setInterval(() => void beat().catch(() => undefined), BEAT_MS);
  timer.unref();
  return {
    release() {
      clearInterval(timer);
      return release(assignment);
    },
  };
}
