import { acceptTask } from "../../../../engine/accept-task.ts";
import { prepareRun } from "../../../../engine/prepare-run.ts";
import { locate } from "../../../../tasks/position.ts";
import type { Command } from "../../command.ts";
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
    return {
      text: `${task.id} is accepted as done, ${total - open.length} of ${total}. ${whatFollows(list)}`,
      json: { ok: true, spec: spec.name, task: task.id, open: open.length, total },
    };
  },
};
