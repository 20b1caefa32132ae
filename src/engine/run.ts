import { lstatSync } from "node:fs";
import { type Brief, planBrief } from "../run/hand-out.ts";
import type { Disk, Write } from "../run/decision.ts";
import type { Loop } from "../run/journal.ts";
import { slash } from "../layouts/layout.ts";
import { currentLoop, type Now } from "../run/loop.ts";
import { phaseNamed } from "../layouts/phases.ts";
import type { State } from "../run/state.ts";
import { isKnown } from "../run/trust.ts";
import { applyWrite, readDisk } from "../store/spec-files.ts";
import { withLock } from "../store/lock.ts";
import type { Project } from "../store/project.ts";
import type { Spec } from "../store/spec.ts";
import type { TaskList } from "../tasks/model.ts";
import { CliError, type Context, EXIT } from "../apps/cli/command.ts";
import { implementation, sessionOf } from "./resolve-spec.ts";

/** A spec that is being executed, as a command sees it with the lock held. */
export interface Run {
  readonly spec: Spec;
  readonly disk: Disk;
  readonly state: State;
  readonly loop: Loop;
  readonly list: TaskList;
  readonly now: Now;
  readonly apply: (write: Write) => void;
}

/**
 * Looks at a run and changes it, while no hook or other command does. An agent reports on its own run only: that of
 * another session is refused, unless the command is one for people, who may pause any.
 */
export function withRun<T>(
  context: Context,
  spec: Spec,
  work: (run: Run) => T,
  { anySession = false }: { anySession?: boolean } = {},
): T {
  return withLock(spec.lock, () => {
    const disk = readDisk(spec);
    const now = context.now();
    const state = stateOf(context, spec, disk);
    const loop = currentLoop(state, disk.last, now);
    refuseStranger(context, disk, spec);
    if (!anySession) refuseForeign(context, spec, loop);
    return work({
      spec,
      disk,
      state,
      loop,
      // Asked for only by commands that need it: a run whose tasks.md is lost can still be paused.
      get list() {
        return tasksOf(context, spec, disk);
      },
      now,
      apply: (write) => applyWrite(spec, disk.state, write, now.at),
    });
  });
}

/** An agent reports on a run that its user started here; anything else that lies in a project is only text. */
export function refuseStranger({ caller }: Context, disk: Disk, spec: Spec): void {
  const { state, record, last } = disk;
  if (state.kind === "absent" || isKnown(state, record, last, caller.session)) return;
  const { layout } = spec.project;
  throw new CliError(
    EXIT.refused,
    `the run of ${layout.unit} "${spec.name}" was not started on this machine`,
    `${slash(layout, "resume")} ${spec.name}, typed by the user, takes it up`,
  );
}

function refuseForeign(context: Context, spec: Spec, loop: Loop): void {
  const session = sessionOf(context);
  if (session === null || loop.session === null || loop.session === session) return;
  const { layout } = spec.project;
  throw new CliError(
    EXIT.refused,
    `the run of ${layout.unit} "${spec.name}" belongs to another session`,
    `${slash(layout, "resume")} ${spec.name} takes it over`,
  );
}

function stateOf(context: Context, spec: Spec, disk: Disk): State {
  const { layout } = spec.project;
  if (disk.state.kind === "ok") return disk.state.state;
  if (disk.state.kind === "corrupt") {
    const file = `${spec.basePath}/${layout.stateFile}`;
    throw new CliError(
      EXIT.broken,
      `${file} cannot be used, ${disk.state.why}`,
      `${context.program} repair rebuilds it from tasks.md`,
    );
  }
  throw new CliError(
    EXIT.missing,
    `no run of ${layout.unit} "${spec.name}" is on`,
    `start one with ${implementation(context, layout)} ${spec.name}`,
  );
}

export function tasksOf(context: Context, spec: Spec, disk: Disk): TaskList {
  const { layout } = spec.project;
  const path = `${spec.basePath}/tasks.md`;
  if (disk.tasks.kind === "absent") {
    throw new CliError(
      EXIT.missing,
      `${path} does not exist`,
      `write the tasks first, one "- [ ] 1.1 title" a line`,
    );
  }
  if (disk.tasks.kind === "unreadable") {
    const why = `${path} cannot be read, ${disk.tasks.why}`;
    throw new CliError(EXIT.broken, why, "mend that and try again");
  }
  if (disk.tasks.list.tasks.length === 0) {
    throw new CliError(
      EXIT.missing,
      `${path} has no tasks`,
      `a task of this ${layout.unit} is a line "- [ ] 1.1 title"`,
    );
  }
  return disk.tasks.list;
}

/** Before execution nothing has been handed out that could be reported. */
export function requireExecution({ spec, state }: Run): void {
  const phase = phaseNamed(spec.project.layout, state.phase);
  if (phase === undefined) return;
  throw new CliError(
    EXIT.refused,
    `${spec.name} is in phase ${phase.name}; its tasks are not being worked on yet`,
    `the user begins with ${slash(spec.project.layout, "implement")}`,
  );
}

/** The hook would never continue what is started here. */
export function refuseDisabled({ layout, settings, user }: Project): void {
  if (settings.enabled) return;
  const file = user.said?.enabled === false ? user.path : layout.settingsFile;
  const fix = `set enabled: true in ${file}`;
  throw new CliError(EXIT.refused, `${layout.plugin} is disabled in this project`, fix);
}

/** Everything else in the state's place is replaced or removed; a folder may hold someone's files. */
export function refuseFolder(spec: Spec): void {
  if (lstatSync(spec.state, { throwIfNoEntry: false })?.isDirectory() === true) {
    throw new CliError(EXIT.broken, `${spec.state} is a folder`, "it is not ours: move it away");
  }
}

export const briefOf = ({ spec, list, state, loop }: Run): Brief =>
  planBrief(spec, list, state, loop);
