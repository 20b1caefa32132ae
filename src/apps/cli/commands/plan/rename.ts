import { renameSpec } from "../../../../engine/rename-spec.ts";
import { quoteName } from "../../../../text/quote.ts";
import type { Command } from "../../command.ts";
import { specOf } from "../../named-spec.ts";

export const rename: Command = {
  summary: "give a spec another name, before its tasks are worked on",
  args: ["<name>", "[spec]"],
  details:
    "Two to four words, like user-login; a number stays as it is. Its folder, its branch (unless it was pushed), the\npointers, the notes and the record of its run follow. An agent may do this once, in the first phase of a spec that\nyou gave no name.",
  run(context, input) {
    const [name = "", old] = input.args;
    const { spec, before, notes } = renameSpec(context, specOf(context, input, old), name);
    const same = spec.name === before;
    const fact = same
      ? `It is already called ${quoteName(before)}.`
      : `${before} is ${quoteName(spec.name)} now, in ${spec.basePath}.`;
    return {
      text: [fact, ...notes].join(" "),
      json: { spec: spec.name, path: spec.basePath, before, notes },
    };
  },
};
