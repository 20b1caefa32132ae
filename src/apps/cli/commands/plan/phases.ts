import { layouts, type Phase } from "../../../../layouts/layout.ts";
import { phaseNamed } from "../../../../layouts/phases.ts";
import { findNamedSpec } from "../../../../store/speckit.ts";
import { CliError, type Command, EXIT } from "../../command.ts";
import { openOrBegin, openSpec } from "../../../../engine/resolve-spec.ts";
import { beginPhase } from "../../../../engine/begin-phase.ts";
import { start } from "./start.ts";

const all = layouts.flatMap(({ phases }) => phases);
const names = [...new Set(all.map(({ name }) => name))];

/** One command for each phase of any layout. */
export const phaseCommands: readonly Command[] = names.map((name) => {
  const { document } = all.find((phase) => phase.name === name) as Phase;
  const isFirst = layouts.some(({ phases }) => phases[0]?.name === name);
  return {
    name,
    summary: `write ${document}; approves the document before it`,
    args: isFirst ? ["[spec|goal…]"] : ["[spec]"],
    group: "plan",
    ...(isFirst ? { options: start.options ?? {} } : {}),
    run(context, input) {
      const project = openOrBegin(context);
      const { layout } = project;
      const phase = phaseNamed(layout, name);
      if (phase === undefined) {
        const known = layout.phases.map((one) => one.name).join(", ");
        throw new CliError(
          EXIT.usage,
          `${layout.plugin} has no phase ${name}`,
          `its phases are ${known}`,
        );
      }
      const [first] = input.args;
      // Spec Kit's users type the goal behind the first phase.
      const isGoal = isFirst && first !== undefined && findNamedSpec(project, first).kind !== "ok";
      if (isGoal) return start.run(context, input);
      return beginPhase(context, input, openSpec(context, input, first), phase);
    },
  };
});
