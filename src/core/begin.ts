import type { TaskList } from "../tasks/types.ts";
import { type Brief, planBrief } from "./brief.ts";
import { cacheOf } from "./decide.ts";
import type { Disk, Write } from "./decision.ts";
import type { Entry, EventName, Loop } from "./journal.ts";
import { beginLoop, currentLoop, type Now } from "./loop.ts";
import { LIMITS, type Raw, type State } from "./state.ts";

/** A wish to start a run, or to take one up again. */
export interface Wish {
  readonly event: EventName;
  /** The session that the run is to be bound to. */
  readonly session: string | null;
  /** Said by slash command or in a shell, not by the agent on its own. */
  readonly byUser: boolean;
  /** Fields of the state that are asked for. */
  readonly fields: Raw;
}

/** A run that begins: the state merged, the session bound, counts anew if the user says so. */
export interface Beginning {
  readonly anew: boolean;
  readonly loop: Loop;
  readonly brief: Brief;
  /** What the state is before `write` is applied to it. */
  readonly raw: Raw;
  readonly write: Write;
}

export function planBegin(disk: Disk, list: TaskList, wish: Wish, now: Now): Beginning {
  const old = disk.state.kind === "ok" ? disk.state : { raw: {}, state: {} };
  const last = runBefore(wish, disk.last);
  const anew = wish.byUser || last?.loop.open !== true;
  const fields = anew ? wish.fields : {};
  const before = currentLoop(old.state, last, now);
  // The limits that the user gave stay, whatever has become of the state since.
  const limits: State = {
    maxGlobalIterations: before.maxIterations,
    maxTaskIterations: before.maxAttempts,
  };
  const bounds: State = { ...old.state, ...limits, ...fields, globalIteration: 1 };
  const loop = anew
    ? beginLoop(wish.session, bounds, disk.last, now)
    : { ...before, session: wish.session };
  const brief = planBrief(disk.spec, list, { taskIteration: 1 }, loop);
  return {
    anew,
    loop,
    brief,
    raw: merged(old.raw, disk.spec, fields, loop),
    write: {
      event: wish.event,
      loop: { ...loop, ticked: brief.ticked, head: disk.head, task: brief.current[0]?.id ?? null },
      state: cacheOf(brief),
    },
  };
}

/**
 * Turns and attempts are counted anew when a user says so. An agent that calls us itself could go on for ever
 * otherwise: in the middle of a run, after it removed the state, or after it brought its own run to an end.
 */
function runBefore({ byUser, session }: Wish, last: Entry | undefined): Entry | undefined {
  if (byUser || last === undefined || last.loop.session !== session) return last;
  return { ...last, loop: { ...last.loop, open: true } };
}

/** What is unknown stays, and every field stays in its place: people keep this file open in an editor. */
function merged(old: Raw, spec: Disk["spec"], wishes: Raw, loop: Loop): Raw {
  const { sessionId: _, approvalReason: __, ...kept } = old;
  return {
    ...kept,
    source: kept["source"] ?? "spec",
    maxFixTasksPerOriginal: kept["maxFixTasksPerOriginal"] ?? LIMITS.maxFixTasksPerOriginal,
    commitSpec: kept["commitSpec"] ?? true,
    recoveryMode: kept["recoveryMode"] ?? false,
    fixTaskMap: kept["fixTaskMap"] ?? {},
    name: spec.name,
    basePath: spec.basePath,
    phase: "execution",
    taskIteration: 1,
    maxTaskIterations: loop.maxAttempts,
    globalIteration: loop.iteration,
    maxGlobalIterations: loop.maxIterations,
    awaitingApproval: false,
    paused: false,
    ...wishes,
    ...(loop.session === null ? {} : { sessionId: loop.session }),
  };
}

/** A state rebuilt from the tasks and the journal. It is the agent's to ask for, so the counts go on. */
export function planRepair(
  disk: Disk,
  list: TaskList,
  session: string | null,
  now: Now,
): Pick<Beginning, "brief" | "write"> {
  const old = disk.state.kind === "ok" ? disk.state : { raw: {}, state: {} };
  const before = currentLoop(old.state, disk.last, now);
  // That the run is over stays said: what is mended here is the file, not the reason.
  const told = before.told === "corrupt" ? null : before.told;
  const loop: Loop = { ...before, told, session: before.session ?? session };
  const brief = planBrief(disk.spec, list, old.state, loop);
  const why = disk.state.kind === "corrupt" ? disk.state.why : undefined;
  const state = {
    source: "spec",
    maxFixTasksPerOriginal: LIMITS.maxFixTasksPerOriginal,
    ...old.raw,
    name: disk.spec.name,
    basePath: disk.spec.basePath,
    phase: "execution",
    globalIteration: loop.iteration,
    maxGlobalIterations: loop.maxIterations,
    maxTaskIterations: loop.maxAttempts,
    ...(loop.session === null ? {} : { sessionId: loop.session }),
    ...cacheOf(brief),
  };
  const note = why === undefined ? {} : { note: `the state was unusable, ${why}` };
  return { brief, write: { event: "repaired", ...note, loop, state } };
}
