import { activateSpec } from "../../../../engine/activate-spec.ts";
import { requireUserWhileOn } from "../../../../engine/authority.ts";
import { listKnown, resolveProject } from "../../../../engine/resolve-spec.ts";
import { readStanding, standingOf } from "../../../../engine/standing.ts";
import { readDisk } from "../../../../store/spec-files.ts";
import type { Command, Context, Input, Result } from "../../command.ts";
import { nameOf, specOf } from "../../named-spec.ts";
import { renderSpecs } from "../look/list.ts";

export const switchSpec: Command = {
  summary: "make another spec the active one; without a name, list them",
  args: ["[spec]"],
  details:
    "A name found in several folders of specs_dirs is listed with its paths; give one of these instead. A run of this\nsession is paused; resume continues it. Other sessions keep to their own specs.",
  run(context, input) {
    const [name] = input.args;
    if (name !== undefined) return change(context, input, name);
    return renderSpecs(context, listKnown(resolveProject(context, nameOf(input))));
  },
};

function change(context: Context, input: Input, name: string): Result {
  const spec = specOf(context, input, name);
  requireUserWhileOn(context, spec, "switch");
  const notes = activateSpec(context, spec, "chosen");
  const { layout } = spec.project;
  const line = `${layout.unit} "${spec.name}" is active now: ${standingOf(spec)}.`;
  const { todo } = readStanding(spec, readDisk(spec));
  return {
    text: [...notes, line, ...(todo === null ? [] : [`${todo}.`])].join("\n"),
    json: { spec: spec.name, path: spec.basePath, standing: standingOf(spec), notes },
  };
}
