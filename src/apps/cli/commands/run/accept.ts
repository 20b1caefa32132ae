import { acceptTask } from "../../../../engine/accept-task.ts";
import { prepareRun } from "../../../../engine/prepare-run.ts";
import { readState } from "../../../../store/spec-files.ts";
import { locate } from "../../../../tasks/position.ts";
import type { Command } from "../../command.ts";
import { specAtWork } from "../../named-spec.ts";
import { tellNext } from "../../what-follows.ts";

export const accept: Command = {
  name: "accept",
  summary: "declare a task done on your own word, whatever its Verify says",
  args: ["<task>"],
  group: "run",
  details:
    "Only for the user: typed as a slash command in the client, or at a terminal. The receipt and trace say that it was\nyour word. Also after the run, for a task that is done and not proven.",
  async run(context, input) {
    const spec = specAtWork(context, input);
    const { task, list } = acceptTask(context, spec, input.args[0] as string);
    if (readState(spec).kind !== "absent") await prepareRun(context, spec);
    const { open, total } = locate(list);
    return {
      text: `${task.id} is accepted as done, ${total - open.length} of ${total}. ${tellNext(context, spec, list)}`,
      json: { ok: true, spec: spec.name, task: task.id, open: open.length, total },
    };
  },
};
