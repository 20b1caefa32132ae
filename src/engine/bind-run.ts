import { planTakeUp, type TakenUp as Planned, type Wish } from "../run/plan-run.ts";
import type { Disk, Write } from "../run/decision.ts";
import type { Loop } from "../run/journal.ts";
import type { Now } from "../run/loop.ts";
import { phaseNamed } from "../layouts/phases.ts";
import type { Raw } from "../run/state.ts";
import { trustedPart } from "../run/trust.ts";
import { applyWrite, readDisk } from "../store/spec-files.ts";
import { keepOutOfGit } from "../git/exclude.ts";
import { removeLeftovers } from "../store/leftovers.ts";
import { withLock } from "../store/lock.ts";
import type { Spec } from "../store/spec.ts";
import { steeringOf } from "../exec/environment.ts";
import { writeRecord } from "../store/vault.ts";
import { makeActive } from "./activate-spec.ts";
import { requireUser } from "./authority.ts";
import type { Context, Input } from "../apps/cli/command.ts";
import { refuseDisabled, refuseFolder } from "./run.ts";

/** A spec that a session takes up, to write its documents or to execute it, with the lock held. */
interface TakenUp extends Planned {
  readonly disk: Disk;
  readonly wish: Wish;
  readonly now: Now;
  /** Makes the spec active and writes what was decided. Returns what is to be said about it. */
  readonly record: (raw: Raw, write: Write) => string[];
}

/** `step` is the command that takes it up: a phase, `implement` or `resume`. Only the user does. */
export function takeUp<T>(
  context: Context,
  input: Input,
  spec: Spec,
  step: string,
  fields: Raw,
  work: (taken: TakenUp) => T,
): T {
  refuseDisabled(spec.project);
  refuseFolder(spec);
  return withLock(spec.lock, () => {
    requireUser(context, spec, step);
    removeLeftovers(spec);
    const { session } = context.caller;
    const disk = trustedPart(readDisk(spec), session);
    const now = context.now();
    const { maxAttempts } = spec.project.settings;
    const defaults = maxAttempts === undefined ? {} : { maxTaskIterations: maxAttempts };
    const wish: Wish = { session, fields, defaults };
    const record: TakenUp["record"] = (raw, write) => {
      // Before there is anything to keep out: a run that is on does not come here again.
      const visible = keepOutOfGit(spec);
      const notes = [
        ...(disk.state.kind === "corrupt"
          ? [
              `The old state was unusable (${disk.state.why}) and is rebuilt from ${isPhase(spec, step) ? "the documents" : "tasks.md"}.`,
            ]
          : []),
        ...takenOver(disk.last?.loop, session),
        ...(visible === undefined ? [] : [`Do not commit the state and the journal: ${visible}.`]),
        ...makeActive(context, spec),
        ...beginRecord(context, spec),
      ];
      applyWrite(spec, { kind: "ok", raw, state: {} }, write, now.at);
      return notes;
    };
    return work({ ...planTakeUp(disk, wish, now), disk, wish, now, record });
  });
}

/** From here on the state that is written next is known to be this machine's. */
function beginRecord({ env }: Context, spec: Spec): string[] {
  const fault = writeRecord(spec, {
    token: crypto.randomUUID(),
    env: steeringOf(env),
    evidence: spec.project.settings.evidence,
  });
  return fault === undefined ? [] : [`This run is not recorded on this machine: ${fault}.`];
}

const isPhase = ({ project }: Pick<Spec, "project">, step: string): boolean =>
  phaseNamed(project.layout, step) !== undefined;

function takenOver(before: Loop | undefined, session: string | null): string[] {
  const bound = before?.open === true && before.session !== null;
  return bound && session !== null && before.session !== session
    ? [
        "This run was bound to another session; it belongs to this one now, and the other is free to stop.",
      ]
    : [];
}
