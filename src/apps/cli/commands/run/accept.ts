import { acceptTasks } from "../../../../engine/accept-task.ts";
import { prepareRun } from "../../../../engine/prepare-run.ts";
import { tasksOf } from "../../../../engine/with-run.ts";
import { readState, readTasks } from "../../../../store/spec-files.ts";
import { locate } from "../../../../tasks/position.ts";
import type { Command } from "../../command.ts";
import { specAtWork } from "../../named-spec.ts";
import { tellNext } from "../../what-follows.ts";

export const accept: Command = {
  summary: "declare tasks done on your own word, whatever their Verify says",
  args: ["<task>", "[task…]"],
  details:
    "Only for the user: typed as a slash command in the client, or at a terminal. The receipt and trace say that it was\nyour word. Also after the run, for tasks that are done and not proven: several at once are one commit.",
  async run(context, input) {
    const spec = specAtWork(context, input);
    const [first = "", ...more] = input.args;
    const accepted = acceptTasks(context, spec, [first, ...more]);
    const tasks = accepted.map(({ task }) => task.id);
    const list = tasksOf(spec, readTasks(spec));
    if (readState(spec).kind !== "absent") await prepareRun(context, spec);
    const { open, total } = locate(list);
    return {
      text: `${tasks.join(", ")} ${tasks.length === 1 ? "is" : "are"} accepted as done, ${total - open.length} of ${total}. ${tellNext(context, spec, list)}`,
      json: { spec: spec.name, task: tasks[0], tasks, open: open.length, total },
    };
  },
};
