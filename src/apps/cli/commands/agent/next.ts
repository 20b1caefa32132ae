import { handOutOf, type Run, withRun } from "../../../../engine/with-run.ts";
import { renderTasks } from "../../../../prompts/render-task.ts";
import { type HandOut, isHeldUp } from "../../../../run/hand-out.ts";
import { ALL_TASKS_COMPLETE } from "../../../../run/signal.ts";
import { readAllEntries } from "../../../../store/spec-files.ts";
import { groupOf } from "../../../../tasks/groups.ts";
import type { Task, TaskList } from "../../../../tasks/model.ts";
import { locate } from "../../../../tasks/position.ts";
import { allOf, capitalize } from "../../../../text/wording.ts";
import type { Command } from "../../command.ts";
import { specOf } from "../../named-spec.ts";

export const next: Command = {
  name: "next",
  summary: "the next task's text, or a whole parallel group",
  group: "agent",
  run: (context, input) =>
    withRun(context, specOf(context, input), (run) => {
      const brief = handOutOf(run, readAllEntries(run.spec));
      const { open, total } = locate(run.list);
      return {
        text: due(run, brief, open.length, total),
        json: {
          ok: true,
          spec: run.spec.name,
          open: open.length,
          total,
          tasks: brief.current.map((task) => ({
            ...task,
          })),
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

/** What to do after a task: `done` says it, so that the coordinator need not remember. */
export function whatFollows(list: TaskList, task?: Task): string {
  const { total, current, held } = locate(list);
  const [first] = current;
  if (first === undefined && held.length > 0)
    return "Everything else waits for the user: tell them so, and end your turn.";
  if (first === undefined) return nothingLeft(total);
  const group = task === undefined ? [] : groupOf(list, task);
  const out = group.filter((one) => current.includes(one));
  return out.length > 0
    ? `Handed out with it: ${out.map(({ id }) => id).join(", ")}. Report that too.`
    : `Next is ${first.id}; end your turn to get it.`;
}

function nothingLeft(total: number): string {
  const { all, are } = allOf(total, "task");
  return `${capitalize(all)} ${are} done. Say ${ALL_TASKS_COMPLETE} on a line of its own and end your turn.`;
}
