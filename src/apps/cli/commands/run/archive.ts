import { archiveSpec } from "../../../../engine/archive-spec.ts";
import { commandFor } from "../../../../engine/request.ts";
import { capitalize } from "../../../../text/wording.ts";
import type { Command } from "../../command.ts";
import { specOf } from "../../named-spec.ts";

export const archive: Command = {
  summary: "put a finished spec away; every file is kept",
  args: ["[spec]"],
  options: {
    force: { summary: "even if tasks are open" },
    "skip-specs": { summary: "an OpenSpec change, without merging its specs" },
  },
  details:
    "Moves its folder to _archive (archive in OpenSpec), next to the specs, with the day before its name. An OpenSpec change\nwith deltas is left to `openspec archive`, which merges them into openspec/specs. It is not a spec any more: nothing\nfinds it, and undo and prove no longer know its runs. Moving the folder back makes it one again.",
  run(context, input) {
    const spec = specOf(context, input, input.args[0]);
    const { layout } = spec.project;
    const { path, wasActive } = archiveSpec(context, spec, {
      force: input.options["force"] === true,
      skipSpecs: input.options["skip-specs"] === true,
    });
    const next = `${commandFor(context, layout, "switch")} makes another one active`;
    return {
      text: `${capitalize(layout.unit)} "${spec.name}" is archived in ${path}.${wasActive ? ` It was the active one; ${next}.` : ""}`,
      json: { spec: spec.name, path, wasActive },
    };
  },
};
