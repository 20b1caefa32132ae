import { Refusal } from "../../../../engine/refusal.ts";
import { setIntent } from "../../../../engine/set-intent.ts";
import { INTENT_IDS } from "../../../../spec/intent.ts";
import type { Command } from "../../command.ts";
import { specOf } from "../../named-spec.ts";

const ALL = INTENT_IDS.join("|");

export const setIntentCommand: Command = {
  summary: "say what kind of work a spec is",
  args: [`<${ALL}>`, "[spec]"],
  details:
    "Changes how many questions are asked and how tasks are split, from the next prompt on. An agent may run it too, but\nnot against what the user said.",
  run(context, input) {
    const [said, name] = input.args;
    const id = INTENT_IDS.find((one) => one === said);
    if (id === undefined) throw new Refusal("usage", `"${said}" is not an intent`, `one of ${ALL}`);
    const spec = specOf(context, input, name);
    const { before, fault } = setIntent(context, spec, id);
    const noted = fault === undefined ? "" : ` It is not noted in .progress.md: ${fault}.`;
    return {
      text: `${spec.name} is ${id} now, was ${before}.${noted}`,
      json: { spec: spec.name, path: spec.basePath, intent: id, before },
    };
  },
};
