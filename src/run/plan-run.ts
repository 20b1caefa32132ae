import { EXECUTION } from "../layouts/layout.ts";
import type { TaskList } from "../tasks/model.ts";
import { cacheOf } from "./decide.ts";
import type { Disk, Write } from "./decision.ts";
import { AT_END, type HandOut, planHandOut, readyKey } from "./hand-out.ts";
import type { EventName, Loop } from "./journal.ts";
import { startLoop, currentLoop, type Now, sumBoxes } from "./loop.ts";
import { LIMITS, type Raw, type State } from "./state.ts";

/** A request to work on a spec: to write its documents, or to execute it. */
export interface Binding {
  /** The session to bind it to. */
  readonly session: string | null;
  /** Fields of the state to set. */
  readonly fields: Raw;
  /** Fields to set if the state lacks them. */
  readonly defaults?: Raw;
}

/** A spec that the user starts or resumes: session bound, counts reset. */
export interface BoundSpec {
  readonly loop: Loop;
  readonly state: State;
  /** The same for the file: unknown fields stay, in place, because people keep this file open in an editor. */
  readonly raw: Raw;
}

export function planBinding(disk: Disk, wish: Binding, now: Now): BoundSpec {
  const old = disk.state.kind === "ok" ? disk.state : { raw: {}, state: {} };
  const { fields } = wish;
  const isOn = disk.last?.loop.open === true;
  const before = currentLoop(old.state, disk.last, now);
  // The user's limits stay, whatever has become of the state since.
  const limits: State = isOn
    ? { maxGlobalIterations: before.maxIterations, maxTaskIterations: before.maxAttempts }
    : {};
  const state: State = { ...wish.defaults, ...old.state, ...limits, ...fields };
  const loop = {
    ...startLoop(wish.session, { ...state, globalIteration: 1 }, disk.last, now),
    // A box that was ticked by hand is not checked any less because the run was interrupted.
    boxes: isOn ? before.boxes : null,
    // One review for a run, however often it is resumed.
    review: isOn ? before.review : null,
  };
  const { sessionId: _, approvalReason: __, ...kept } = old.raw as Raw;
  return {
    loop,
    state,
    raw: {
      ...withDefaults(kept, { source: "spec", ...wish.defaults }),
      name: disk.spec.name,
      basePath: disk.spec.basePath,
      globalIteration: loop.iteration,
      awaitingApproval: false,
      paused: false,
      ...fields,
      ...(loop.session === null ? {} : { sessionId: loop.session }),
    },
  };
}

/** Missing fields are added at the end. */
export const withDefaults = (raw: Raw, defaults: Raw): Raw => ({ ...raw, ...defaults, ...raw });

/** A run that begins. */
export interface PlannedRun extends BoundSpec {
  readonly brief: HandOut;
  /** What happens to the state then. */
  readonly write: Write;
}

export function planRun(
  disk: Disk,
  list: TaskList,
  { event, ...wish }: Binding & { readonly event: EventName },
  now: Now,
): PlannedRun {
  const taken = planBinding(disk, wish, now);
  const { loop, raw } = taken;
  const brief = planHandOut(disk.spec, list, { taskIteration: 1 }, loop);
  const boxes = loop.boxes ?? sumBoxes(list.tasks);
  const isOn = disk.last?.loop.open === true;
  // A run that finds everything done writes no receipt of its own.
  const isOver = !isOn && list.tasks.every(({ checked }) => checked);
  return {
    ...taken,
    brief,
    raw: {
      ...withDefaults(raw, {
        maxFixTasksPerOriginal: LIMITS.maxFixTasksPerOriginal,
        commitSpec: disk.settings.commitSpec,
        recoveryMode: false,
        fixTaskMap: {},
      }),
      phase: EXECUTION,
      taskIteration: 1,
      maxTaskIterations: loop.maxAttempts,
      maxGlobalIterations: loop.maxIterations,
    },
    write: {
      event,
      loop: {
        ...loop,
        total: Math.max(loop.total, brief.total),
        ticked: brief.ticked,
        head: disk.head,
        task: brief.current[0]?.id ?? null,
        boxes,
        ready: isOver ? AT_END : readyKey(brief),
      },
      state: cacheOf(brief),
    },
  };
}

/** A state rebuilt from the tasks and the journal. An agent may ask for this, so the counts continue. */
export function planRepair(
  disk: Disk,
  list: TaskList,
  session: string | null,
  now: Now,
): Pick<PlannedRun, "brief" | "write"> {
  const old = disk.state.kind === "ok" ? disk.state : { raw: {}, state: {} };
  const before = currentLoop(old.state, disk.last, now);
  // A run that is over stays over: this fixes the file, not the reason.
  const told = before.told === "corrupt" ? null : before.told;
  const loop: Loop = { ...before, told, session: before.session ?? session };
  const brief = planHandOut(disk.spec, list, old.state, loop);
  const why = disk.state.kind === "corrupt" ? disk.state.why : undefined;
  const state = {
    source: "spec",
    maxFixTasksPerOriginal: LIMITS.maxFixTasksPerOriginal,
    ...old.raw,
    name: disk.spec.name,
    basePath: disk.spec.basePath,
    phase: EXECUTION,
    globalIteration: loop.iteration,
    maxGlobalIterations: loop.maxIterations,
    maxTaskIterations: loop.maxAttempts,
    ...(loop.session === null ? {} : { sessionId: loop.session }),
    ...cacheOf(brief),
  };
  const note = why === undefined ? {} : { note: `the state was unusable, ${why}` };
  return { brief, write: { event: "repaired", ...note, loop, state } };
}
