import { Refusal } from "../../../../engine/refusal.ts";
import { resolveOrBeginProject } from "../../../../engine/resolve-spec.ts";
import { startPhase } from "../../../../engine/start-phase.ts";
import { layouts } from "../../../../layouts/all.ts";
import type { Phase } from "../../../../layouts/layout.ts";
import { phaseNamed } from "../../../../layouts/phases.ts";
import { planPhaseWords, type PhaseWords } from "../../../../spec/interpret-phase.ts";
import { findNamedSpec } from "../../../../store/current-spec.ts";
import type { Project } from "../../../../store/project.ts";
import { listSpecs } from "../../../../store/spec.ts";
import type { Command, Input } from "../../command.ts";
import { specOf } from "../../named-spec.ts";
import { renderStep } from "../../render-step.ts";
import { readSpecOptions } from "../../spec-options.ts";
import { suggest } from "../../suggest.ts";
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
    args: isFirst ? ["[spec|goal…]"] : ["[spec]", "[words…]"],
    group: "plan",
    details:
      "Words that do not begin with the name of a spec are for the agents of this phase: what to use, what to change.",
    ...(isFirst ? { options: start.options ?? {} } : {}),
    run(context, input) {
      const project = resolveOrBeginProject(context);
      const { layout } = project;
      const phase = phaseNamed(layout.phases, name);
      if (phase === undefined) {
        const known = layout.phases.map((one) => one.name).join(", ");
        throw new Refusal(
          "usage",
          `${layout.plugin} has no phase ${name}`,
          `its phases are ${known}`,
        );
      }
      const [first] = input.args;
      // Spec Kit's users type the goal after the first phase.
      const isGoal = isFirst && first !== undefined && findNamedSpec(project, first).kind !== "ok";
      if (isGoal) return start.run(context, input);
      const { name: named, said } = readWords(input, project);
      const spec = specOf(context, input, named);
      return renderStep(startPhase(context, spec, phase, { ...readSpecOptions(input), said }));
    },
  };
});

function readWords({ args }: Input, project: Project): PhaseWords {
  const words = planPhaseWords(args, (word) =>
    ["ok", "ambiguous"].includes(findNamedSpec(project, word).kind),
  );
  // A misspelt name is not a remark about the active spec.
  const [only] = args;
  const specs = listSpecs(project).map((spec) => spec.name);
  const meant = only === words.said ? suggest(only, specs) : undefined;
  if (meant === undefined) return words;
  throw new Refusal(
    "missing",
    `there is no ${project.layout.unit} "${only}"`,
    `did you mean ${meant}?`,
  );
}
