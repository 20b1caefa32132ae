import { tellHooks } from "../../../../engine/extension-hooks.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { findUnnamedSpec, resolveOrBeginProject } from "../../../../engine/resolve-spec.ts";
import { HOOKED } from "../../../../spec/extension-hooks.ts";
import { oneLine } from "../../../../text/template.ts";
import type { Command } from "../../command.ts";

export const hooks: Command = {
  summary: "what Spec Kit's extensions want run before and after a command",
  args: ["<command>"],
  details:
    "By .specify/extensions.yml, as Spec Kit's own commands read it. Prints nothing if there are none; runs nothing. The\nprompts of phases and of implement say it by themselves.",
  run(context, input) {
    const step = input.args[0] as string;
    if (!HOOKED.includes(step))
      throw new Refusal(
        "usage",
        `Spec Kit has no command ${JSON.stringify(oneLine(step, 40))}`,
        `one of: ${HOOKED.join(", ")}`,
      );
    const project = resolveOrBeginProject(context);
    const found = findUnnamedSpec(context, project);
    const spec = found.kind === "ok" ? { spec: found.spec } : {};
    const lines = tellHooks({ project, ...spec, step });
    return { text: lines.join("\n"), json: { hooks: lines }, verbatim: true };
  },
};
