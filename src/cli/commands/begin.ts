import { planBegin } from "../../core/begin.ts";
import type { Brief } from "../../core/brief.ts";
import type { EventName, Loop } from "../../core/journal.ts";
import { EXECUTION, slash } from "../../core/layout.ts";
import { locate } from "../../core/position.ts";
import type { Raw } from "../../core/state.ts";
import { renderCoordinator } from "../../prompts/render.ts";
import { applyWrite, readDisk } from "../../store/disk.ts";
import { keepOutOfGit } from "../../store/exclude.ts";
import { removeLeftovers } from "../../store/leftovers.ts";
import { withLock } from "../../store/lock.ts";
import type { Spec } from "../../store/spec.ts";
import type { Context, Input, Result } from "../command.ts";
import { markAttempts } from "../attempts.ts";
import { makeActive } from "../active.ts";
import { isByUser, sessionFor } from "../open.ts";
import { refuseSelfApproval } from "../phase.ts";
import { refuseDisabled, refuseFolder, tasksOf } from "../run.ts";

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
    removeLeftovers(spec);
    const disk = readDisk(spec);
    const list = tasksOf(context, spec, disk);
    refuseFolder(spec);
    const { layout } = spec.project;
    const { open, total } = locate(list);
    const now = context.now();
    const session = sessionFor(context, input);

    refuseSelfApproval(
      context,
      input,
      spec,
      EXECUTION,
      disk.state.kind === "ok" ? disk.state.state : {},
    );
    const wish = { event, session, byUser: isByUser(context, input), fields: wishes };
    const { anew, loop, brief, raw, write } = planBegin(disk, list, wish, now);
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
    // Before there is anything to keep out: a run that is on does not come here again.
    const visible = keepOutOfGit(spec);
    if (visible !== undefined) notes.push(`Do not commit the state and the journal: ${visible}.`);
    notes.push(...makeActive(context, spec));
    applyWrite(spec, { kind: "ok", raw, state: {} }, write, now.at);
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
