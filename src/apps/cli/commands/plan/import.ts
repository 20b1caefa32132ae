import { importList, type Imported } from "../../../../engine/import-list.ts";
import { resolveOrBeginProject } from "../../../../engine/resolve-spec.ts";
import { quoteName } from "../../../../text/quote.ts";
import { oneLine } from "../../../../text/template.ts";
import { capitalize, counted } from "../../../../text/wording.ts";
import { stringOption } from "../../arguments.ts";
import type { Command, Context } from "../../command.ts";
import { paint } from "../../paint.ts";

export const importCommand: Command = {
  summary: "make a spec of another tool's list of tasks",
  args: ["<file>"],
  options: {
    name: { value: "name", summary: "what the spec is called" },
    tag: { value: "tag", summary: "which of Task Master's lists; by default master" },
    reopen: { summary: "import what is done there as open" },
    "dry-run": { summary: "show what would be written, and write nothing" },
  },
  details: `Reads Markdown with boxes, a PRD in Markdown with user stories, prd.json as ralph and ralph-tui keep it, and Task
Master's tasks.json. The file is left as it is, and nothing is started.
Stories and their criteria become requirements with ids, and tasks refer to them. What is done there is ticked here, and
nothing proves it: trace says so. A Verify is written only where the file itself has a command. What cannot be carried
over is printed, and kept in .progress.md.`,
  run(context, input) {
    const project = resolveOrBeginProject(context);
    const imported = importList(context, project, {
      path: input.args[0] as string,
      name: stringOption(input, "name"),
      tag: stringOption(input, "tag"),
      reopen: input.options["reopen"] === true,
      dryRun: input.options["dry-run"] === true,
    });
    const { plan, format, name, spec } = imported;
    const { files, ...counts } = plan;
    const written =
      spec === undefined ? { files } : { path: spec.basePath, files: Object.keys(files) };
    const json = { spec: name, format, ...counts, ...written };
    return {
      text: render(context, imported),
      json,
      ...(spec === undefined ? { verbatim: true } : {}),
    };
  },
};

function render(context: Context, { plan, format, name, spec }: Imported): string {
  const { bold, dim, warn } = paint(context.colour);
  const { files, tasks, done, withoutVerify, requirements, left } = plan;
  if (spec === undefined)
    return Object.entries(files)
      .map(([file, text]) => `${bold(`${name}/${file}`)}\n\n${text}`)
      .join("\n");
  const { layout } = spec.project;
  const command = (verb: string): string => `${layout.voice.command(verb)} ${quoteName(spec.name)}`;
  const from =
    requirements === 0 ? "" : `, ${requirements === 1 ? "1 story" : `${requirements} stories`}`;
  return [
    `${capitalize(layout.unit)} "${spec.name}" imported from a ${format} into ${spec.basePath}: ${counted(tasks, "task")}, ${done} done${from}.`,
    ...(left.length === 0
      ? []
      : [
          warn("Not carried over:"),
          ...left.map((one) => `- ${oneLine(one, 300)}`),
          dim("The same is in .progress.md."),
        ]),
    withoutVerify === 0
      ? `→ ${command("implement")} works through it`
      : `→ ${counted(withoutVerify, "open task")} ${withoutVerify === 1 ? "has" : "have"} no Verify, so nothing would prove ${withoutVerify === 1 ? "it" : "them"}: write one for each (\`tasks lint\` lists them), or have them planned again with ${command("tasks")}; then ${command("implement")}`,
  ].join("\n");
}
