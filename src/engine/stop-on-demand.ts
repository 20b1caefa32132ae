import { describeOutlook } from "../facts/outlook.ts";
import { runnableUnder } from "../run/claim/runnable-task.ts";
import type { Spec } from "../store/spec.ts";
import type { Task, TaskList } from "../tasks/model.ts";
import { readOutlook } from "./outlook.ts";

/** What only some stops need, whoever drives the agents. */
export { withInbox } from "../run/inbox.ts";
export { orderOwnReview } from "./ask-review.ts";
export { drivePhase, findingsOf, firstTasks, tellWritten } from "./drive-phases.ts";
export { tellEndHooks } from "./extension-hooks.ts";
export { concludeRun, readWrittenSummary } from "./summary.ts";

/** What can be proven of a list that is about to be executed. */
export function tellOutlook(spec: Spec): string | undefined {
  const outlook = readOutlook(spec);
  return outlook === undefined ? undefined : describeOutlook(outlook);
}

/** Whether a program can do a task. */
export const isRunnable = ({ project }: Spec, list: TaskList, task: Task): boolean =>
  runnableUnder(project.settings)(list, task);
