import { readNow } from "../../engine/now.ts";
import { announceStranger, noteEnd, ownSpec } from "../../engine/whose-run.ts";
import type { Environment, Host } from "../../hosts/host.ts";
import { EXECUTION, type Edition } from "../../layouts/layout.ts";
import { phaseNamed, phasesOf } from "../../layouts/phases.ts";
import { planHandOut } from "../../run/hand-out.ts";
import { currentLoop } from "../../run/loop.ts";
import { isWaiting } from "../../run/state.ts";
import { whoseRun } from "../../run/trust.ts";
import * as say from "../../run/user-messages.ts";
import { readDisk } from "../../store/spec-files.ts";
import { oneLine } from "../../text/template.ts";
import { activeSpec, MAX_LINE } from "./event.ts";

/** The loop ends with a failed turn and nobody is asked: note why, for status and the next session. */
export function stopFailure(layout: Edition, host: Host, input: unknown, env: Environment): string {
  const failed = host.wire.parseFailure?.(input, env);
  const spec = failed && ownSpec(layout, failed);
  if (failed !== undefined && spec !== undefined)
    noteEnd(spec, failed.sessionId, readNow(), () => ["service-error", failed.error]);
  return "";
}

/** A headless client exits without waiting for the hook above, but it waits for this one. */
export function sessionEnd(layout: Edition, host: Host, input: unknown, env: Environment): string {
  const ended = host.wire.parseEnd?.(input, env);
  const spec = ended && ownSpec(layout, ended);
  if (ended === undefined || spec === undefined) return "";
  noteEnd(spec, ended.sessionId, readNow(), (loop) => {
    const error =
      ended.transcript === undefined
        ? undefined
        : host.transcript.readServiceError(ended.transcript, loop.began);
    return error === undefined
      ? ["session-ended", "the session ended during the run"]
      : ["service-error", error];
  });
  return "";
}

/** A session begins where a run was left: what ended it, and how to continue. */
export function sessionStart(
  layout: Edition,
  host: Host,
  input: unknown,
  env: Environment,
): string {
  const where = host.wire.parseStart?.(input, env);
  const spec = where === undefined ? undefined : activeSpec(layout, where);
  if (spec === undefined) return "";
  const disk = readDisk(spec);
  const session = where?.sessionId ?? null;
  // A run of this machine in another session is handled below.
  if (whoseRun(disk, session) === "stranger") {
    const line = announceStranger(spec, session);
    return line === undefined ? "" : notice(host, line, say.strangerContext(layout));
  }
  if (disk.state.kind !== "ok") return "";
  const { state } = disk.state;
  const phase = phaseNamed(phasesOf(layout, state), state.phase);
  if (phase === undefined && state.phase !== EXECUTION) return "";
  const loop = currentLoop(state, disk.last, readNow());
  const isOver = disk.last?.event === "service-error" || disk.last?.event === "session-ended";
  const waits = isWaiting(state);
  // A run that continues in another session does not concern this one.
  const isOther = loop.session !== where?.sessionId;
  const isElsewhere = isOther && !isOver && !waits && loop.told === null;
  // Quick mode leaves no note when its session ends: only the user knows whether it is still running.
  if (phase !== undefined) return notice(host, say.inPhase(disk, phase, state, isElsewhere));
  if (isElsewhere) return "";
  const list = disk.tasks.kind === "ok" ? disk.tasks.list : undefined;
  const brief = planHandOut(disk.spec, list, state, loop);
  return notice(host, say.leftOff(disk, brief));
}

/** A line for the user, and the same or another one for the model. */
function notice(host: Host, text: string, context = text): string {
  return (
    host.wire.formatNotice?.("start", oneLine(text, MAX_LINE), oneLine(context, MAX_LINE)) ?? ""
  );
}
