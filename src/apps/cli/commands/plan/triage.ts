import { nameFrom } from "../../../../spec/name.ts";
import { slash } from "../../../../layouts/layout.ts";
import { isNameHere } from "../../../../spec/interpret-start.ts";
import { clean, fill } from "../../../../text/template.ts";
import triageTemplate from "../../../../prompts/triage.md";
import { findActiveEpic, findEpic } from "../../../../epic/files.ts";
import { CliError, type Command, EXIT } from "../../command.ts";
import { epicOf, openEpic } from "../../../../engine/resolve-epic.ts";
import { inWords, openOrBegin } from "../../../../engine/resolve-spec.ts";
import { epicNew } from "./epic.ts";

export const triage: Command = {
  name: "triage",
  summary: "split a large goal into an epic of specs",
  args: ["[name]", "[goal…]"],
  group: "plan",
  details:
    "Without words: takes the active epic up again. Prints the prompt for the agent that cuts it.",
  async run(context, input) {
    const project = openOrBegin(context);
    const { layout } = project;
    const { name, goal } = read(input.args);
    const place = name === undefined ? findActiveEpic(project) : findEpic(project, name);
    if (place.kind !== "ok") {
      if (name === undefined || goal === "") {
        const how = `${inWords(context, layout, "triage")} "<the large goal>"`;
        throw new CliError(EXIT.usage, "there is no epic to go on with", how);
      }
      await epicNew.run(context, { ...input, args: [name, goal] });
    }
    const folder = openEpic(context, name);
    const epic = epicOf(context, folder);
    const known = epic.specs.map((spec) => spec.name).join(", ");
    return {
      text: fill(triageTemplate, {
        plugin: layout.plugin,
        program: layout.plugin,
        epic: folder.name,
        folder: folder.basePath,
        goal: clean(epic.goal),
        known: known === "" ? "" : `Specs so far: ${known}\n`,
        start: slash(layout, "start"),
      }).trimEnd(),
      json: { ok: true, epic: folder.name, path: folder.basePath, specs: epic.specs.length },
    };
  },
};

function read(words: readonly string[]): { name: string | undefined; goal: string } {
  const [first = "", ...rest] = words;
  if (isNameHere(first, rest)) return { name: first, goal: rest.join(" ") };
  const goal = words.join(" ");
  return { name: nameFrom(goal), goal };
}
