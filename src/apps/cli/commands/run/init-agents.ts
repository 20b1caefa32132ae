import { planAgents } from "../../../../engine/choose-agents.ts";
import { writeSetting } from "../../../../engine/configure.ts";
import { formatChoice } from "../../../../run/agent-choice.ts";
import { clean } from "../../../../text/template.ts";
import type { Context, Input, Result } from "../../command.ts";

/** `init --agent a,b`: whom `run` starts. */
export function initAgents(context: Context, input: Input, names: string): Result {
  const plan = planAgents(context, names);
  const { path, isNew, line, choices, text } = plan;
  const writes = input.options["yes"] === true && input.options["dry-run"] !== true;
  if (writes) writeSetting(plan);
  const verb = writes ? (isNew ? "Wrote" : "Changed") : isNew ? "Would write" : "Would change";
  const lines =
    text === undefined
      ? [`${path} says so already.`]
      : [
          `${verb} ${path}:`,
          `  + ${line}`,
          ...(writes
            ? []
            : [
                `Nothing is written yet: ${context.program} init --agent ${choices.map(formatChoice).join(",")} --yes does it.`,
              ]),
        ];
  return {
    text: clean(lines.join("\n")),
    json: {
      ok: true,
      path,
      agents: choices.map(formatChoice),
      written: writes && text !== undefined,
    },
  };
}
