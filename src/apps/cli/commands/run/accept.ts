import { acceptTask } from "../../../../engine/accept-task.ts";
import { prepareRun } from "../../../../engine/prepare-run.ts";
import { commandFor, isInClient } from "../../../../engine/request.ts";
import type { Spec } from "../../../../store/spec.ts";
import type { TaskList } from "../../../../tasks/model.ts";
import { locate } from "../../../../tasks/position.ts";
import { allOf, capitalize } from "../../../../text/wording.ts";
import type { Command, Context } from "../../command.ts";
import { specAtWork } from "../../named-spec.ts";
import { whatFollows } from "../agent/next.ts";

export const accept: Command = {
  name: "accept",
  summary: "declare a task done on your own word, whatever its Verify says",
  args: ["<task>"],
  group: "run",
  details:
    "Only for the user: typed as a slash command in the client, or at a terminal. The receipt and trace say that it was\nyour word.",
  async run(context, input) {
    const spec = specAtWork(context, input);
    const { task, list } = acceptTask(context, spec, input.args[0] as string);
    await prepareRun(context, spec);
    const { open, total } = locate(list);
    const follows = isInClient(context) ? whatFollows(list) : tellNext(context, spec, list);
    return {
      text: `${task.id} is accepted as done, ${total - open.length} of ${total}. ${follows}`,
      json: { ok: true, spec: spec.name, task: task.id, open: open.length, total },
    };
  },
};

/** What follows, for a person in a shell: the run is somewhere else. */
function tellNext(context: Context, { project }: Spec, list: TaskList): string {
  const { total, current, held } = locate(list);
  const [first] = current;
  if (first !== undefined) return `Next is ${first.id}, at the run's next turn.`;
  if (held.length > 0)
    return `Everything else waits for you: ${commandFor(context, project.layout, "inbox")} shows it.`;
  const { all, are } = allOf(total, "task");
  return `${capitalize(all)} ${are} done; the run ends at its next turn.`;
}
