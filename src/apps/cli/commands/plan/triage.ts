import { createEpic } from "../../../../engine/change-epic.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { commandFor } from "../../../../engine/request.ts";
import { epicOf, resolveEpic } from "../../../../engine/resolve-epic.ts";
import { resolveOrBeginProject } from "../../../../engine/resolve-spec.ts";
import { findActiveEpic, findEpic } from "../../../../epic/files.ts";
import { sayAtOnce } from "../../../../prompts/phase-facts.ts";
import triageTemplate from "../../../../prompts/triage.md";
import { isNameHere } from "../../../../spec/interpret-words.ts";
import { makeName } from "../../../../spec/name.ts";
import { clean, fill } from "../../../../text/template.ts";
import type { Command } from "../../command.ts";
import { forAgent } from "../../render-step.ts";

const MAX_QUESTIONS = 5;

export const triage: Command = {
  summary: "split a large goal into an epic of specs",
  args: ["[name]", "[goal…]"],
  details:
    "Without words: continues the active epic. Prints the prompt for the agent that splits it.",
  run(context, input) {
    const project = resolveOrBeginProject(context);
    const { layout } = project;
    const { name, goal } = read(input.args);
    const place = name === undefined ? findActiveEpic(project) : findEpic(project, name);
    if (place.kind !== "ok") {
      if (name === undefined || goal === "") {
        const how = `${commandFor(context, layout, "triage")} "<the large goal>"`;
        throw new Refusal("usage", "there is no epic to continue", how);
      }
      createEpic(context, name, clean(goal).trim());
    }
    const folder = resolveEpic(context, name);
    const epic = epicOf(context, folder);
    const known = epic.specs.map((spec) => spec.name).join(", ");
    return {
      text: fill(triageTemplate, {
        most: MAX_QUESTIONS,
        atOnce: sayAtOnce(layout, MAX_QUESTIONS),
        plugin: layout.plugin,
        program: layout.voice.program,
        epic: folder.name,
        folder: folder.basePath,
        goal: clean(epic.goal),
        known: known === "" ? "" : `Specs so far: ${known}\n`,
        agent: layout.voice.agent("triage-analyst"),
        questionTool: layout.voice.questionTool,
        start: layout.voice.command("start"),
      }).trimEnd(),
      json: { epic: folder.name, path: folder.basePath, specs: epic.specs.length },
      ...forAgent(context, layout, "triage"),
    };
  },
};

function read(words: readonly string[]): { name: string | undefined; goal: string } {
  const [first = "", ...rest] = words;
  if (isNameHere(first, rest)) return { name: first, goal: rest.join(" ") };
  const goal = words.join(" ");
  return { name: makeName(goal), goal };
}
