import { handOutOf, type Run, withRun } from "../../../../engine/with-run.ts";
import { renderTasks } from "../../../../prompts/render-task.ts";
import { type HandOut, isHeldUp } from "../../../../run/hand-out.ts";
import { readAllEntries } from "../../../../store/spec-files.ts";
import { locate } from "../../../../tasks/position.ts";
import type { Command } from "../../command.ts";
import { specOf } from "../../named-spec.ts";
import { nothingLeft } from "../../what-follows.ts";

export const next: Command = {
  summary: "the next task's text, or a whole parallel group",
  run: (context, input) =>
    withRun(context, specOf(context, input), (run) => {
      const brief = handOutOf(run, readAllEntries(run.spec));
      const { open, total } = locate(run.list);
      return {
        text: due(run, brief, open.length, total),
        json: {
          spec: run.spec.name,
          open: open.length,
          total,
          tasks: brief.current,
          exhausted: brief.exhausted.map((task) => task.id),
          held: brief.held.map((task) => task.id),
        },
      };
    }),
};

function due(run: Run, brief: HandOut, open: number, total: number): string {
  if (open === 0) return nothingLeft(total);
  if (brief.current.length > 0 || isHeldUp(brief))
    return renderTasks(run.spec.project.layout, brief);
  const ids = brief.exhausted.map((task) => task.id).join(", ");
  return `All ${brief.maxAttempts} attempts at ${ids} failed: tell the user why, and end your turn.`;
}
