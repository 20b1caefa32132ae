import { planTakeUp, type TakenUp as Planned, type Wish } from "../core/begin.ts";
import type { Disk, Write } from "../core/decision.ts";
import type { Loop } from "../core/journal.ts";
import { slash } from "../core/layout.ts";
import type { Now } from "../core/loop.ts";
import { phaseNamed } from "../core/phases.ts";
import type { Raw, State } from "../core/state.ts";
import { oneLine } from "../prompts/template.ts";
import { applyWrite, readDisk } from "../store/disk.ts";
import { keepOutOfGit } from "../store/exclude.ts";
import { removeLeftovers } from "../store/leftovers.ts";
import { withLock } from "../store/lock.ts";
import type { Spec } from "../store/spec.ts";
import { makeActive } from "./active.ts";
import { CliError, type Context, EXIT, type Input } from "./command.ts";
import { isByUser, sessionFor } from "./open.ts";
import { refuseDisabled, refuseFolder } from "./run.ts";

/** A spec that a session takes up, to write its documents or to execute it, with the lock held. */
interface TakenUp extends Planned {
  readonly disk: Disk;
  readonly wish: Wish;
  readonly now: Now;
  /** Makes the spec active and writes what was decided. Returns what is to be said about it. */
  readonly record: (raw: Raw, write: Write) => string[];
}

/**
 * `step` is the command that is taken: a phase, or `implement`. An agent may take up its own step again, but not go on
 * to the next: otherwise it could approve its own work.
 */
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
    removeLeftovers(spec);
    const disk = readDisk(spec);
    const byUser = isByUser(context, input);
    if (!byUser) refuseSelfApproval(spec, step, disk.state.kind === "ok" ? disk.state.state : {});
    const now = context.now();
    const { maxAttempts } = spec.project.settings;
    const defaults = maxAttempts === undefined ? {} : { maxTaskIterations: maxAttempts };
    const session = sessionFor(context, input);
    const wish: Wish = { session, byUser, fields, defaults };
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
      ];
      applyWrite(spec, { kind: "ok", raw, state: {} }, write, now.at);
      return notes;
    };
    return work({ ...planTakeUp(disk, wish, now), disk, wish, now, record });
  });
}

/** An agent goes on to another step when the user says so, or in quick mode when the hook does. */
function refuseSelfApproval({ name, project }: Spec, step: string, state: State): void {
  const phase = phaseNamed(project.layout, state.phase);
  if (state.phase === undefined || phase?.name === step) return;
  if (phase === undefined && !isPhase({ project }, step)) return;
  throw new CliError(
    EXIT.refused,
    `${name} is in phase ${oneLine(state.phase, 40)}, and it is not yours to go on to ${step}`,
    state.quickMode === true
      ? "end your turn; the next step is handed to you"
      : `the user goes on with ${slash(project.layout, step)}; end your turn`,
  );
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
