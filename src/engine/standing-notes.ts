import type { HandOut } from "../run/hand-out.ts";
import { planStanding } from "../run/progress-standing.ts";
import { writeProgressStanding } from "../store/progress.ts";
import type { Spec } from "../store/spec.ts";
import type { TaskList } from "../tasks/model.ts";

/** Says in `.progress.md` where the run is. Before the checkpoint, which notes what was uncommitted when a task began. */
export const writeStanding = (spec: Spec, list: TaskList, brief: HandOut): void =>
  writeProgressStanding(spec, planStanding(list, brief));
