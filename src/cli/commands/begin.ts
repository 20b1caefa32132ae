import { planBegin } from "../../core/begin.ts";
import type { Brief } from "../../core/brief.ts";
import type { EventName } from "../../core/journal.ts";
import { slash } from "../../core/layout.ts";
import { locate } from "../../core/position.ts";
import type { Raw } from "../../core/state.ts";
import { renderCoordinator } from "../../prompts/render.ts";
import { applyWrite } from "../../store/disk.ts";
import type { Spec } from "../../store/spec.ts";
import { markAttempts } from "../attempts.ts";
import type { Context, Input, Result } from "../command.ts";
import { tasksOf } from "../run.ts";
import { takeUp } from "../take-up.ts";

/** Starts a run, or takes one up again: state merged, session bound, counts anew, and the prompt printed. */
export function begin(
  context: Context,
  input: Input,
  spec: Spec,
  event: EventName,
  wishes: Raw,
): Result {
  return takeUp(context, input, spec, "implement", wishes, ({ disk, wish, now, record }) => {
    const { layout } = spec.project;
    const list = tasksOf(context, spec, disk);
    const { open, total } = locate(list);
    const { anew, loop, brief, raw, write } = planBegin(disk, list, { ...wish, event }, now);
    if (open.length === 0)
      return nothingToDo(spec, disk.state.kind !== "absent", total, () =>
        applyWrite(
          spec,
          disk.state,
          { event: "finished", loop: { ...loop, open: false }, state: "remove" },
          now.at,
        ),
      );

    const notes = record(raw, write);
    if (!anew)
      notes.push(
        `The counts of this run go on; only the user's own ${slash(layout, "resume")} starts them anew.`,
      );
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
        session: wish.session,
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
