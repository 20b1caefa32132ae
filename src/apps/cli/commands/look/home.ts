import { readStatus } from "../../../../engine/read-status.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { commandFor } from "../../../../engine/request.ts";
import {
  findCurrentSpec,
  findProjectFor,
  listKnown,
  resolveOrBeginProject,
  resolveSpec,
} from "../../../../engine/resolve-spec.ts";
import { lastCommand } from "../../../../runner/go-on.ts";
import { readWaiting } from "../../../../runner/read-waiting.ts";
import type { Project } from "../../../../store/project.ts";
import { capitalize, counted, SHELL_PROGRAM } from "../../../../text/wording.ts";
import type { NamedCommand, Context, Input, Result } from "../../command.ts";
import { renderTable } from "../../help.ts";
import { nameOf } from "../../named-spec.ts";
import { paint } from "../../paint.ts";
import { listingCommand, renderProgress, renderTodo, type Shown } from "../../status-lines.ts";
import { version } from "../../version.ts";
import { renderSpecs } from "./list.ts";

type Line = readonly [command: string, does: string];

const HERE: readonly Line[] = [
  ['run "<goal>"', "begin another, unattended"],
  ["status --watch", "follow the run live"],
  ["tasks", "the tasks, and which are done"],
  ["evidence", "what proves each of them"],
  ["doctor", "what is wrong with the setup, and how to fix it"],
  ["help", "the other commands"],
];

const NOWHERE: readonly Line[] = [
  ["demo", "watch a scripted agent do one, in a minute"],
  ["doctor", "whether everything is set up"],
  ["completion --help", "complete commands with the Tab key"],
  ["help", "the other commands"],
];

/** What the program says when it is run without a command. */
export const home: NamedCommand = {
  name: "",
  group: "look",
  summary: "where things stand here, and the most useful commands",
  run(context, input) {
    const project = findProjectFor(context, nameOf(input));
    return project === undefined || listKnown(project).length === 0
      ? begin(context)
      : show(context, input, project);
  },
};

const heading = ({ colour }: Context): string => `${paint(colour).bold("Smart Ralph")} ${version}`;

const renderLines = ({ program }: Context, lines: readonly Line[]): string =>
  renderTable(
    lines.map(([command, does]) => [
      `${command.startsWith("run ") ? SHELL_PROGRAM : program} ${command}`,
      does,
    ]),
  );

function begin(context: Context): Result {
  const { layout } = resolveOrBeginProject(context);
  const goal = "<what you want to build>";
  const start = `${layout.voice.command("start")} ${goal}`;
  const { accent } = paint(context.colour);
  return {
    text: [
      `${heading(context)} takes a goal to a written spec and a list of tasks, and does not let the agent stop until every task is done and proven.`,
      `There are no ${layout.unit}s here yet. To begin one, type this in your project:`,
      `  ${accent(`${SHELL_PROGRAM} run "${goal}"`)}\n      here: agents plan and do it, unattended, on a branch of their own`,
      `  ${accent(start)}\n      in your client: step by step, with your approval`,
      renderLines(context, NOWHERE),
    ].join("\n\n"),
    json: { version, project: null, status: null, begin: start },
  };
}

function show(context: Context, input: Input, project: Project): Result {
  const found = look(context, input);
  const [text, facts] =
    "why" in found
      ? [renderChoice(context, project, found.why), { status: null, ...found }]
      : [renderShort(context, found, project), { status: found.report, waiting: found.waiting }];
  return {
    text: [heading(context), text, renderLines(context, HERE)].join("\n\n"),
    json: { version, project: project.root, ...facts },
  };
}

/** Several specs and no active one is no reason to fail here. */
function look(context: Context, input: Input): Shown | { why: string } {
  try {
    const spec = resolveSpec(context, nameOf(input));
    const goOn = (): string => lastCommand(spec.project.root, spec.name);
    return { report: readStatus(context, spec, goOn), waiting: readWaiting(context, [spec]) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { why: error.message };
  }
}

function renderChoice(context: Context, project: Project, why: string): string {
  const { unit } = project.layout;
  const active = findCurrentSpec(context, project);
  const isUnset = active.kind === "none" && active.unset === true;
  return [
    isUnset ? `No ${unit} is active.` : `${capitalize(why)}.`,
    renderSpecs(context, listKnown(project)).text,
    `→ ${commandFor(context, project.layout, "switch")} <name> makes one active`,
  ].join("\n");
}

function renderShort(context: Context, shown: Shown, { layout }: Project): string {
  const { dim } = paint(context.colour);
  const { others } = shown.report;
  const more = `${counted(others.length, `other ${layout.unit}`)}; ${listingCommand(context, layout)}`;
  return [
    ...renderProgress(shown, context),
    ...renderTodo(shown),
    ...(others.length === 0 ? [] : [dim(more)]),
  ].join("\n");
}
