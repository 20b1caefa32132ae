import { refuseTaken } from "../engine/bind-run.ts";
import { oneLine } from "../text/template.ts";
import type { Lease } from "./claim-lease.ts";
import type { RunContext } from "./context.ts";
import type { Stage } from "./stage.ts";

/** A lease that is renewed until it is released. */
export interface KeptLease extends Pick<Lease, "fence" | "release"> {
  /** Renews it now. False if the spec belongs to another process; then the run is over. */
  readonly isHeld: () => boolean;
}

/** How often a lease is renewed. */
const BEAT_MS = 20_000;

/** Does `work` while no other run works on the spec: a second one is refused. */
export async function holdSpec<T>(
  { claim, stage }: RunContext,
  { folder, name }: { readonly folder: string; readonly name: string },
  work: (lease: KeptLease) => Promise<T>,
): Promise<T> {
  const claimed = claim(folder);
  if ("takenBy" in claimed) throw refuseTaken(claimed.takenBy, name);
  const lease = keepLease(claimed, stage, name);
  try {
    return await work(lease);
  } finally {
    lease.release();
  }
}

/**
 * Renews a lease until it is released. A beat that fails, for example because the disk is full, is told once and tried
 * again. If the spec belongs to another process now, the run is over.
 */
export function keepLease(
  { fence, beat, release }: Lease,
  { emit, lose }: Pick<Stage, "emit" | "lose">,
  name: string,
): KeptLease {
  let isTold = false;
  const isHeld = (): boolean => {
    try {
      const isOurs = beat();
      if (!isOurs) lose(`${name} no longer belongs to this run`);
      isTold = false;
      return isOurs;
    } catch (error) {
      if (isTold) return true;
      const why = oneLine(error instanceof Error ? error.message : String(error), 300);
      emit({
        kind: "note",
        text: `the claim to ${name} could not be renewed: ${why}; it is tried again`,
      });
      isTold = true;
      return true;
    }
  };
  const timer = setInterval(() => {
    try {
      isHeld();
    } catch {
      // What cannot be told now, because the disk is full, is told at the next beat.
    }
  }, BEAT_MS);
  timer.unref();
  return {
    fence,
    isHeld,
    release() {
      clearInterval(timer);
      release();
    },
  };
}
