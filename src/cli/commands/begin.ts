import { type Brief, planBrief } from "../../core/brief.ts";
import { cacheOf } from "../../core/decide.ts";
import type { EventName, Loop } from "../../core/journal.ts";
import { slash } from "../../core/layout.ts";
import { beginLoop, currentLoop } from "../../core/loop.ts";
import { locate } from "../../core/position.ts";
import { LIMITS, type Raw, type State } from "../../core/state.ts";
import { renderCoordinator } from "../../prompts/render.ts";
import { applyWrite, readDisk } from "../../store/disk.ts";
import { keepOutOfGit } from "../../store/exclude.ts";
import { withLock } from "../../store/lock.ts";
import type { Spec } from "../../store/spec.ts";
import type { Context, Input, Result } from "../command.ts";
import { markAttempts } from "../attempts.ts";
import { makeActive } from "../active.ts";
import { sessionFor } from "../open.ts";
import { refuseDisabled, refuseFolder, startsAnew, tasksOf } from "../run.ts";

/** Starts a run, or takes one up again: state merged, session bound, counts anew, and the prompt printed. */
export function begin(
  context: Context,
  input: Input,
  spec: Spec,
  event: EventName,
  wishes: Raw,
): Result {
  refuseDisabled(spec);
  return withLock(spec.lock, () => {
    const disk = readDisk(spec);
    const list = tasksOf(context, spec, disk);
    refuseFolder(spec);
    const { layout } = spec.project;
    const { open, total } = locate(list);
    const now = context.now();
    const session = sessionFor(context, input);

    const old = disk.state.kind === "ok" ? disk.state : { raw: {}, state: {} };
    const anew = startsAnew(context, input, disk);
    const wished = anew ? wishes : {};
    const bounds: State = { ...old.state, ...wished, globalIteration: 1 };
    const loop = anew
      ? beginLoop(session, bounds, disk.last, now)
      : { ...currentLoop(old.state, disk.last, now), session };
    const raw = merged(old.raw, spec, wished, loop);
    const brief = planBrief(spec, list, { taskIteration: 1 }, loop);
    if (open.length === 0)
      return nothingToDo(spec, disk.state.kind !== "absent", total, () =>
        applyWrite(
          spec,
          disk.state,
          { event: "finished", loop: { ...loop, open: false }, state: "remove" },
          now.at,
        ),
      );

    const notes = [
      ...(disk.state.kind === "corrupt"
        ? [`The old state was unusable (${disk.state.why}) and is rebuilt from tasks.md.`]
        : []),
      ...takenOver(disk.last?.loop, session),
      ...(anew
        ? []
        : [
            `The counts of this run go on; only the user's own ${slash(layout, "resume")} starts them anew.`,
          ]),
    ];
    notes.push(...makeActive(context, spec));
    applyWrite(
      spec,
      { kind: "ok", raw, state: {} },
      {
        event,
        loop: {
          ...loop,
          ticked: brief.ticked,
          head: disk.head,
          task: brief.current[0]?.id ?? null,
        },
        state: cacheOf(brief),
      },
      now.at,
    );
    const visible = keepOutOfGit(spec);
    if (visible !== undefined) notes.push(`Do not commit the state and the journal: ${visible}.`);
    markAttempts(spec, brief);
    const prompt = renderCoordinator(layout, brief, open.length);
    return {
      text: [...notes, prompt].join("\n\n"),
      json: {
        ok: true,
        spec: spec.name,
        path: spec.basePath,
        open: open.length,
        total,
        run: loop.run,
        session,
        next: idsOf(brief),
        notes,
      },
    };
  });
}

export const idsOf = (brief: Brief): string[] => brief.current.map((task) => task.id);

/** What is unknown stays, and every field stays in its place: people keep this file open in an editor. */
function merged(old: Raw, spec: Spec, wishes: Raw, loop: Loop): Raw {
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

function nothingToDo(spec: Spec, stateLeft: boolean, total: number, finish: () => void): Result {
  if (stateLeft) finish();
  return {
    text: `Nothing to do: all ${total} tasks in ${spec.basePath}/tasks.md are ticked.`,
    json: { ok: true, spec: spec.name, path: spec.basePath, open: 0, total, next: [] },
  };
}

function takenOver(before: Loop | undefined, session: string | null): string[] {
  const bound = before?.open === true && before.session !== null;
  return bound && session !== null && before.session !== session
    ? [
        "This run was bound to another session; it belongs to this one now, and the other is free to stop.",
      ]
    : [];
}
