import { describeOutlook } from "../facts/outlook.ts";
import { runnableUnder } from "../run/claim/runnable-task.ts";
import { withInbox } from "../run/inbox.ts";
import { orderOwnReview } from "./ask-review.ts";
import { drivePhase, findingsOf, firstTasks, tellWritten } from "./drive-phases.ts";
import { tellEndHooks } from "./extension-hooks.ts";
import { readOutlook } from "./outlook.ts";
import type { RareStop } from "./stop.ts";
import { concludeRun, readWrittenSummary } from "./summary.ts";

/** What only some stops need, as far as it is the same whoever drives the agents. */
export const rareStop: Omit<RareStop, "settle" | "hear"> = {
  findings: findingsOf,
  prompt: drivePhase,
  outlook: (spec) => {
    const outlook = readOutlook(spec);
    return outlook === undefined ? undefined : describeOutlook(outlook);
  },
  summary: readWrittenSummary,
  conclude: concludeRun,
  hooksAfter: tellEndHooks,
  written: tellWritten,
  firstTasks,
  hold: withInbox,
  isRunnable: ({ project }, list, task) => runnableUnder(project.settings)(list, task),
  review: orderOwnReview,
};
