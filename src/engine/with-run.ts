import { lstatSync } from "node:fs";
import { EXECUTION } from "../layouts/layout.ts";
import { phaseNamed } from "../layouts/phases.ts";
import type { Disk, TasksFile, Write } from "../run/decision.ts";
import { type HandOut, planHandOut } from "../run/hand-out.ts";
import type { Entry, Loop } from "../run/journal.ts";
import { currentLoop, type Now } from "../run/loop.ts";
import { isWaiting, type State } from "../run/state.ts";
import { isEnded, whoseRun } from "../run/trust.ts";
import { withLock, withLockAsync } from "../store/lock.ts";
import type { Project } from "../store/project.ts";
import { applyWrite, readDisk, readTasks } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { findTask } from "../tasks/find.ts";
import { findSkipped } from "../tasks/lint/boxes.ts";
import type { Task, TaskList } from "../tasks/model.ts";
import { parseTasks } from "../tasks/parse.ts";
import { locate } from "../tasks/position.ts";
import { oneLine } from "../text/template.ts";
import { Refusal } from "./refusal.ts";
import { commandFor, type Request } from "./request.ts";

/** A spec that is being executed, as a command sees it with the lock held. */
export interface Run {
  readonly spec: Spec;
  readonly disk: Disk;
  readonly state: State;
  readonly loop: Loop;
  readonly list: TaskList;
  readonly now: Now;
  /** Returns the journal's entry about it. */
  readonly apply: (write: Write) => Entry;
}

/**
 * Reads and changes a run while no hook or other command does. An agent may report only on its own session's run;
 * commands for people, such as pause, work on any. With `isOver`, also one that has ended here: then there is no state.
 */
export function withRun<T>(
  request: Request,
  spec: Spec,
  work: (run: Run) => T,
  { anySession = false, isOver = false }: { anySession?: boolean; isOver?: boolean } = {},
): T {
  return withLock(spec.lock, () => {
    const disk = readDisk(spec);
    return work(
      isOver && disk.state.kind === "absent" && isEnded(disk)
        ? reopen(request, spec, disk)
        : readRun(request, spec, disk, anySession),
    );
  });
}

/** The same, if other work may continue while this waits for the lock. */
export const withRunAsync = <T>(request: Request, spec: Spec, work: (run: Run) => T): Promise<T> =>
  withLockAsync(spec.lock, () => work(readRun(request, spec, readDisk(spec), false)), {
    signal: request.signal(),
  });

/** A run that has ended, as it was; whatever is noted about it, it stays over. */
function reopen(request: Request, spec: Spec, disk: Disk): Run {
  const last = disk.last as Entry;
  const now = request.now();
  return {
    spec,
    disk,
    state: { commitSpec: last.held?.commitSpec === true },
    loop: last.loop,
    list: tasksOf(spec, disk.tasks),
    now,
    apply(write) {
      const { state: _, ...rest } = write;
      return applyWrite(spec, disk.state, rest, now.at);
    },
  };
}

function readRun(request: Request, spec: Spec, disk: Disk, anySession: boolean): Run {
  const now = request.now();
  const state = stateOf(request, spec, disk);
  const loop = currentLoop(state, disk.last, now);
  refuseStranger(request, disk, spec);
  if (!anySession) refuseForeign(request, spec, loop);
  return {
    spec,
    disk,
    state,
    loop,
    // Only for commands that need it: a run whose tasks.md is lost can still be paused.
    get list() {
      return tasksOf(spec, disk.tasks);
    },
    now,
    apply: (write) => applyWrite(spec, disk.state, write, now.at),
  };
}

/** An agent reports on a run that its user started here; anything else found in a project is only text. */
export function refuseStranger({ caller }: Request, disk: Disk, spec: Spec): void {
  if (disk.state.kind === "absent" || whoseRun(disk, caller.session) !== "stranger") return;
  const { layout } = spec.project;
  throw new Refusal(
    "refused",
    `the run of ${layout.unit} "${spec.name}" was not started on this machine`,
    `${layout.voice.command("resume")} ${spec.name}, typed by the user, resumes it`,
  );
}

export function refuseForeign(request: Request, spec: Spec, loop: Loop): void {
  const { session } = request.caller;
  if (session === null || loop.session === null || loop.session === session) return;
  const { layout } = spec.project;
  throw new Refusal(
    "refused",
    `the run of ${layout.unit} "${spec.name}" belongs to another session`,
    `${layout.voice.command("resume")} ${spec.name} takes it over`,
  );
}

function stateOf(request: Request, spec: Spec, disk: Disk): State {
  const { layout } = spec.project;
  if (disk.state.kind === "ok") return disk.state.state;
  if (disk.state.kind === "corrupt") {
    const file = `${spec.basePath}/${layout.stateFile}`;
    throw new Refusal(
      "broken",
      `${file} cannot be used: ${disk.state.why}`,
      `${request.program} repair rebuilds it from tasks.md`,
    );
  }
  throw new Refusal(
    "missing",
    `${layout.unit} "${spec.name}" is not running`,
    `start it with ${commandFor(request, layout, "implement")} ${spec.name}`,
  );
}

/** None yet while the documents are being written. */
export const tasksSoFar = (spec: Spec): TaskList => {
  const tasks = readTasks(spec);
  return tasks.kind === "absent" ? parseTasks("") : tasksOf(spec, tasks);
};

export function tasksOf(spec: Spec, tasks: TasksFile): TaskList {
  const { layout } = spec.project;
  const path = `${spec.basePath}/tasks.md`;
  if (tasks.kind === "absent") {
    throw new Refusal(
      "missing",
      `${path} does not exist`,
      `write the tasks first, one "- [ ] ${layout.firstTask} title" per line`,
    );
  }
  if (tasks.kind === "unreadable") {
    const why = `${path} cannot be read: ${tasks.why}`;
    throw new Refusal("broken", why, "fix that and try again");
  }
  if (tasks.list.tasks.length === 0) {
    throw new Refusal(
      "missing",
      `${path} has no tasks`,
      `a task of this ${layout.unit} is a line "- [ ] ${layout.firstTask} title"`,
    );
  }
  return tasks.list;
}

/** Refuses a list with a line that looks like a task but would never be handed out: the run would end without it. */
export function refuseSkipped(spec: Spec, list: TaskList): void {
  const skipped = findSkipped(list);
  if (skipped === undefined) return;
  const { line, message, fix } = skipped;
  throw new Refusal(
    "refused",
    `${spec.basePath}/tasks.md:${line}: ${oneLine(message, 300).replace(/\.$/, "")}`,
    oneLine(fix, 300)
      .replace(/^Write/, "write")
      .replace(/\.$/, ""),
  );
}

/** Whether tasks are being worked on, and nothing waits for the user. */
export const isGoing = ({ state }: Run): boolean => state.phase === EXECUTION && !isWaiting(state);

/** Before execution nothing has been handed out that could be reported. */
export function requireExecution({ spec, state }: Run): void {
  const phase = phaseNamed(spec.project.layout.phases, state.phase);
  if (phase === undefined) return;
  throw new Refusal(
    "refused",
    `${spec.name} is in phase ${phase.name}; its tasks are not being worked on yet`,
    `the user begins with ${spec.project.layout.voice.command("implement")}`,
  );
}

/** Refuses in a disabled project: the hook would never continue the run. */
export function refuseDisabled({ layout, settings, user }: Project): void {
  if (settings.enabled) return;
  const file = user.said?.enabled === false ? user.path : layout.settingsFile;
  const fix = `set enabled: true in ${file}`;
  throw new Refusal("refused", `${layout.plugin} is disabled in this project`, fix);
}

/** Refuses if the state is a folder, which may hold someone's files. Anything else is replaced or removed. */
export function refuseFolder(spec: Spec): void {
  if (lstatSync(spec.state, { throwIfNoEntry: false })?.isDirectory() === true) {
    throw new Refusal("broken", `${spec.state} is a folder that we did not create`, "move it away");
  }
}

export const handOutOf = (
  { spec, list, state, loop }: Run,
  entries: readonly Entry[] = [],
): HandOut => planHandOut(spec, list, state, loop, entries);

export function requireTask(list: TaskList, id: string): Task {
  const task = findTask(list, id);
  if (task !== undefined) return task;
  const all = locate(list).open;
  const open = all.slice(0, 5).map((one) => one.id);
  const more = all.length > open.length ? ` and ${all.length - open.length} more` : "";
  throw new Refusal(
    "missing",
    `there is no task "${id}" in tasks.md`,
    `open tasks: ${open.join(", ") || "none"}${more}`,
  );
}
