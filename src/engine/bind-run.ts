import { pickSteering } from "../exec/environment.ts";
import { keepOutOfGit } from "../git/exclude.ts";
import { phaseNamed } from "../layouts/phases.ts";
import type { Disk, Write } from "../run/decision.ts";
import type { Loop } from "../run/journal.ts";
import type { Now } from "../run/loop.ts";
import { type Binding, type BoundSpec as PlannedSpec, planBinding } from "../run/plan-run.ts";
import { isRunner } from "../run/runner-session.ts";
import type { Raw } from "../run/state.ts";
import { keepTrusted } from "../run/trust.ts";
import { type Worker, workerOn } from "../store/lease.ts";
import { removeLeftovers } from "../store/leftovers.ts";
import { withLock } from "../store/lock.ts";
import { isOwnNamespace } from "../store/process-id.ts";
import { applyWrite, readDisk } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { writeRecord } from "../store/vault.ts";
import { SHELL_PROGRAM } from "../text/wording.ts";
import { activateSpec } from "./activate-spec.ts";
import { requireUser } from "./authority.ts";
import { Refusal } from "./refusal.ts";
import type { Request } from "./request.ts";
import { refuseDisabled, refuseFolder } from "./with-run.ts";

/** A spec bound to a session, to write its documents or to execute it, with the lock held. */
interface BoundSpec extends PlannedSpec {
  readonly disk: Disk;
  readonly wish: Binding;
  readonly now: Now;
  /** Makes the spec active and writes what was decided. Returns the notes to show. */
  readonly record: (raw: Raw, write: Write) => string[];
}

/** Binds a spec to the session. `step` is the command: a phase, `implement` or `resume`. Only the user can. */
export function bindRun<T>(
  request: Request,
  spec: Spec,
  step: string,
  { fields, mayAmend }: { readonly fields: Raw; readonly mayAmend?: boolean | undefined },
  work: (bound: BoundSpec) => T,
): T {
  refuseDisabled(spec.project);
  refuseFolder(spec);
  refuseDriven(spec);
  return withLock(spec.lock, () => {
    requireUser(request, spec, step);
    removeLeftovers(spec);
    const { session } = request.caller;
    const disk = keepTrusted(readDisk(spec), session);
    const now = request.now();
    const { maxAttempts } = spec.project.settings;
    const defaults = maxAttempts === undefined ? {} : { maxTaskIterations: maxAttempts };
    // `implement` begins with the current settings; anything else keeps those in the state.
    const own = step === "implement" ? defaults : {};
    const wish: Binding = { session, fields: { ...own, ...fields }, defaults };
    // Quick mode continues to execution by itself, so the user's options from its start still count.
    const isQuick = disk.state.kind === "ok" && disk.state.state.quickMode === true;
    const isKept = step === "resume" || isQuick;
    const record: BoundSpec["record"] = (raw, write) => {
      // Before the state and the journal are written: an active run does not get here again.
      const visible = keepOutOfGit(spec);
      const notes = [
        ...(disk.state.kind === "corrupt"
          ? [
              `The old state was unusable (${disk.state.why}); rebuilt from ${isPhase(spec, step) ? "the documents" : "tasks.md"}.`,
            ]
          : []),
        ...takenOver(disk.last?.loop, session),
        ...(visible === undefined ? [] : [`Do not commit the state and the journal: ${visible}.`]),
        ...activateSpec(request, spec),
        ...beginRecord(request, spec, mayAmend ?? (isKept && disk.record?.mayAmend)),
      ];
      applyWrite(spec, { kind: "ok", raw, state: {} }, write, now.at);
      return notes;
    };
    return work({ ...planBinding(disk, wish, now), disk, wish, now, record });
  });
}

/** Refuses if `run` works on the spec, in its own tree or here: the two would undo each other's work. */
export function refuseDriven(spec: Spec): void {
  const by = workerOn(spec.folder);
  if (by !== undefined && !(by.pid === process.pid && isOwnNamespace(by.namespace)))
    throw refuseTaken(by, spec.name);
}

export const refuseTaken = ({ run, pid, machine }: Worker, name: string): Refusal =>
  new Refusal(
    "refused",
    `run ${run} (process ${pid} on ${machine}) is working on "${name}"`,
    `${SHELL_PROGRAM} watch ${run} shows it, ${SHELL_PROGRAM} stop ${run} stops it`,
  );

/** Marks the state that is written next as this machine's own. */
function beginRecord({ env }: Request, spec: Spec, mayAmend = false): string[] {
  const fault = writeRecord(spec, {
    token: crypto.randomUUID(),
    env: pickSteering(env),
    evidence: spec.project.settings.evidence,
    commit: spec.project.settings.commit,
    ...(mayAmend ? { mayAmend } : {}),
  });
  return fault === undefined ? [] : [`This run is not recorded on this machine: ${fault}.`];
}

const isPhase = ({ project }: Pick<Spec, "project">, step: string): boolean =>
  phaseNamed(project.layout.phases, step) !== undefined;

function takenOver(before: Loop | undefined, session: string | null): string[] {
  // A session of `run` is over by now: an active one is refused above.
  const bound = before?.open === true && before.session !== null && !isRunner(before.session);
  return bound && session !== null && before.session !== session
    ? ["This run was bound to another session; it now belongs to this one, and the other may stop."]
    : [];
}
