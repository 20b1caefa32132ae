import { Refusal } from "../../../../engine/refusal.ts";
import { isInClient } from "../../../../engine/request.ts";
import { resolveOrBeginProject } from "../../../../engine/resolve-spec.ts";
import { startPhase } from "../../../../engine/start-phase.ts";
import { openTaskFile } from "../../../../engine/task-file.ts";
import { layouts } from "../../../../layouts/all.ts";
import type { Phase } from "../../../../layouts/layout.ts";
import { phaseNamed } from "../../../../layouts/phases.ts";
import { planPhaseWords, type PhaseWords } from "../../../../spec/interpret-words.ts";
import { findNamedSpec } from "../../../../store/current-spec.ts";
import type { Project } from "../../../../store/project.ts";
import { listSpecs } from "../../../../store/spec.ts";
import { suggest } from "../../../../text/suggest.ts";
import type { Command, Context, Input, Result } from "../../command.ts";
import { nameOf, specOf } from "../../named-spec.ts";
import { paint } from "../../paint.ts";
import { renderStep } from "../../render-step.ts";
import { readSpecOptions } from "../../spec-options.ts";
import { tasksList } from "../look/tasks.ts";
import { start } from "./start.ts";

const TASKS = {
  summary:
    "list the tasks; typed in a client: write tasks.md, which approves the document before it",
  args: ["[spec|path]", "[words…]"],
  options: { write: { summary: "in a shell too: begin the phase that writes tasks.md" } },
} as const;

/** In a shell, whoever types `tasks` looks for a list, and must not begin a phase by accident. */
async function listTasks(context: Context, input: Input): Promise<Result> {
  const result = await tasksList.run(context, input);
  const { spec, list } = openTaskFile(context, nameOf(input, input.args[0]));
  if (spec === undefined || list.tasks.some((task) => task.checked)) return result;
  const again = `${spec.project.layout.voice.command("tasks")} in the client writes them again`;
  return { ...result, text: `${result.text}\n${paint(context.colour).dim(again)}` };
}

/** What is not a spec may be a command of two words: `tasks lnt`. */
function typoIn({ args: [word = ""] }: Input): Refusal | undefined {
  const meant = suggest(word, ["lint", "list", "show"]);
  if (meant === undefined) return undefined;
  return new Refusal(
    "usage",
    `there is no command "tasks ${word}"`,
    `did you mean tasks ${meant}?`,
  );
}

/** One command for each phase of any layout. */
export const phaseCommand = (name: string): Command => {
  const all = layouts.flatMap(({ phases }) => phases);
  const { document } = phaseNamed(all, name) as Phase;
  const isTasks = name === "tasks";
  const isFirst = layouts.some(({ phases }) => phases[0]?.name === name);
  return {
    summary: `write ${document}; approves the document before it`,
    args: isFirst ? ["[spec|goal…]"] : ["[spec]", "[words…]"],
    layouts: layouts.filter(({ phases }) => phaseNamed(phases, name)).map(({ id }) => id),
    details: isFirst
      ? "A goal starts a new spec. Words after the name of one that exists are for the agents of this phase."
      : "Words that do not begin with the name of a spec are for the agents of this phase: what to use, what to change.",
    ...(isFirst ? { options: start.options ?? {} } : {}),
    ...(isTasks ? TASKS : {}),
    run(context, input) {
      if (isTasks && !isInClient(context) && input.options["write"] !== true)
        return listTasks(context, input).catch((error: unknown) => {
          throw error instanceof Refusal ? (typoIn(input) ?? error) : error;
        });
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
      const step = startPhase(context, spec, phase, { ...readSpecOptions(input), said });
      return renderStep(context, name, step);
    },
  };
};

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
