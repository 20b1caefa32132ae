import type { Loop } from "../run/journal.ts";
import type { Now } from "../run/loop.ts";
import { withLock } from "../store/lock.ts";
import { applyWrite, readGlance } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { runningLoop } from "./whose-run.ts";

/** Records why a run of this session ends here, unless it waits, is over, or that is known. */
export const noteEnd = (
  spec: Spec,
  session: string | null,
  now: Now,
  reason: (loop: Loop) => [event: "service-error" | "session-ended", note: string],
): void =>
  withLock(spec.lock, () => {
    const disk = readGlance(spec);
    const loop = runningLoop(disk, session, now);
    if (loop === undefined || disk.last?.event === "service-error") return;
    const [event, note] = reason(loop);
    applyWrite(spec, disk.state, { event, note, loop }, now.at);
  });
