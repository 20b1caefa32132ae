import {
  type InitPlan,
  planInit,
  type PlannedFile,
  writeInit,
} from "../../../../engine/init-project.ts";
import { checks } from "../../../../hosts/checks.ts";
import { clean } from "../../../../text/template.ts";
import type { Command, Context, Result } from "../../command.ts";

export const init: Command = {
  name: "init",
  summary: "set a project up for runs that nobody watches: settings and permissions",
  group: "run",
  options: {
    yes: { type: "boolean", summary: "really do it; without, it only shows what it would write" },
    "dry-run": { type: "boolean", summary: "only show it, even with --yes" },
  },
  details: `Adds what is missing to your own settings in this project, and changes nothing that you have set: the client may
edit files without asking, and run git and the checks that the project's files show. What a run needs of our own program
is allowed by its hook. To take it back, remove the files and lines that it lists.`,
  run(context, input) {
    const plan = planInit(context);
    const writes = input.options["yes"] === true && input.options["dry-run"] !== true;
    if (writes) writeInit(plan);
    return resultOf(context, plan, writes);
  },
};

function resultOf(context: Context, plan: InitPlan, wrote: boolean): Result {
  const { project, files, unignored } = plan;
  const { layout } = project;
  const client = checks.checkClient(context.env);
  const lines = [
    `${layout.plugin} in ${project.root}; ${client.message}.`,
    ...(files.length === 0
      ? ["Everything is set up."]
      : files.flatMap((file) => show(file, wrote))),
    ...(files.length === 0 || wrote
      ? []
      : [`Nothing is written yet: ${context.program} init --yes does it.`]),
    ...(unignored.length === 0
      ? []
      : [`These files are yours alone; add them to .gitignore: ${unignored.join(", ")}`]),
  ];
  return {
    text: clean(lines.join("\n")),
    json: {
      ok: true,
      project: project.root,
      layout: layout.id,
      client: client.message,
      written: wrote && files.length > 0,
      files: files.map(({ path, isNew, added }) => ({ path, new: isNew, added })),
      gitignore: unignored,
    },
  };
}

function show({ path, isNew, added }: PlannedFile, wrote: boolean): string[] {
  const verb = wrote ? (isNew ? "Wrote" : "Changed") : isNew ? "Would write" : "Would change";
  return [`${verb} ${path}:`, ...added.map((one) => `  + ${one}`)];
}
