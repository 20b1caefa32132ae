import { EXECUTION } from "../layouts/layout.ts";
import { isQuickPhase } from "../run/decide.ts";
import type { Disk, Write } from "../run/decision.ts";
import { currentLoop, type Now } from "../run/loop.ts";
import { isWaiting } from "../run/state.ts";
import { withLock } from "../store/lock.ts";
import { applyWrite, readAllEntries, readDisk } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";

/** The journal's word for it: this kind of pause ends by itself when the user types. */
const ESC = "you pressed Esc";

export const isPausedByEsc = (spec: Spec): boolean =>
  readAllEntries(spec).findLast(({ event }) => event === "paused")?.note === ESC;

/**
 * The user interrupted the agent, and something else wakes it now: nothing is handed out until they type. Returns
 * whether the run was going.
 */
export const pauseAfterEsc = (spec: Spec, session: string | null, now: Now): boolean =>
  change(spec, now, (disk) => {
    if (disk.state.kind !== "ok") return undefined;
    const { state } = disk.state;
    const isDriven = state.phase === EXECUTION || isQuickPhase(disk, state);
    const loop = currentLoop(state, disk.last, now);
    if (!isDriven || isWaiting(state) || loop.session !== session || loop.told !== null)
      return undefined;
    return { event: "paused", note: ESC, loop, state: { paused: true } };
  });

/** The user types again. Any other pause stays. */
export const resumeAfterEsc = (spec: Spec, session: string | null, now: Now): boolean =>
  change(spec, now, (disk) => {
    if (disk.state.kind !== "ok" || disk.state.state.paused !== true) return undefined;
    const loop = currentLoop(disk.state.state, disk.last, now);
    if (loop.session !== session || !isPausedByEsc(spec)) return undefined;
    return { event: "unpaused", loop, state: { paused: false } };
  });

const change = (spec: Spec, { at }: Now, plan: (disk: Disk) => Write | undefined): boolean =>
  withLock(spec.lock, () => {
    const disk = readDisk(spec);
    const write = plan(disk);
    if (write !== undefined) applyWrite(spec, disk.state, write, at);
    return write !== undefined;
  });
