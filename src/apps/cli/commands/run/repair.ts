import { repairRun } from "../../../../engine/repair-run.ts";
import { counted } from "../../../../text/wording.ts";
import type { Command } from "../../command.ts";
import { specOf } from "../../named-spec.ts";
import { goesOn } from "../../what-follows.ts";

export const repair: Command = {
  summary: "rebuild the state from tasks.md and the journal; the counts continue",
  run(context, input) {
    const spec = specOf(context, input);
    const { open, total, iteration, maxIterations, next } = repairRun(context, spec);
    return {
      text: `The state is rebuilt from tasks.md: ${total - open} of ${counted(total, "task")} done, turn ${iteration} of ${maxIterations}. ${goesOn(context, spec)}`,
      json: { spec: spec.name, open, total, next },
    };
  },
};
