import { refuseDriven } from "../../../../engine/bind-run.ts";
import { cancelRun, deleteSpec } from "../../../../engine/cancel-run.ts";
import { findUntaken } from "../../../../engine/run-trees.ts";
import { whereWorkIs } from "../../../../runner/trees/untaken.ts";
import type { Spec } from "../../../../store/spec.ts";
import { quoteName } from "../../../../text/quote.ts";
import { capitalize } from "../../../../text/wording.ts";
import type { Command, Context, Result } from "../../command.ts";
import { specOf } from "../../named-spec.ts";

export const cancel: Command = {
  summary: "end the run; every file of the spec is kept",
  args: ["[spec]"],
  options: {
    "delete-spec": { summary: "remove the spec's folder too; lists what goes, and needs --yes" },
    yes: { summary: "with --delete-spec: really remove it" },
  },
  run(context, input) {
    const spec = specOf(context, input, input.args[0]);
    return input.options["delete-spec"] === true
      ? remove(context, spec, input.options["yes"] === true)
      : end(context, spec);
  },
};

function end(context: Context, spec: Spec): Result {
  refuseDriven(spec);
  const { cancelled, leftovers, isBeforeExecution } = cancelRun(context, spec);
  const json = { spec: spec.name, cancelled, leftovers };
  if (!cancelled) {
    const { why, fix } = whereWorkIs(spec);
    const more = findUntaken(spec) === undefined ? "" : ` ${capitalize(why)}: ${fix}.`;
    return { text: `"${spec.name}" is not running.${more}`, json };
  }
  // In a shell, these only print a prompt.
  const { command } = spec.project.layout.voice;
  const name = quoteName(spec.name);
  const again = isBeforeExecution
    ? `${command("start")} ${name} continues with the documents`
    : `${command("implement")} ${name} starts again at the first unticked task`;
  return {
    text: `Cancelled the run of "${spec.name}". Its tasks, progress and documents are kept; ${again}.`,
    json,
  };
}

function remove(context: Context, spec: Spec, confirmed: boolean): Result {
  const goes = deleteSpec(context, spec, confirmed);
  return confirmed
    ? {
        text: `Removed ${spec.basePath} (${goes.length === 1 ? "1 entry" : `${goes.length} entries`}).`,
        json: { spec: spec.name, removed: goes },
      }
    : {
        ok: false,
        text: `This would remove ${spec.basePath} for good:\n${goes.map((path) => `  ${path}`).join("\n")}\nNothing is removed yet; add --yes to do it.`,
        json: { spec: spec.name, wouldRemove: goes },
      };
}
