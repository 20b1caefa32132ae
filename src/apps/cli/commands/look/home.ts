import { readStatus } from "../../../../engine/read-status.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { commandFor } from "../../../../engine/request.ts";
import {
  findCurrentSpec,
  findProjectFor,
  resolveOrBeginProject,
  resolveSpec,
} from "../../../../engine/resolve-spec.ts";
import type { Project } from "../../../../store/project.ts";
import { listSpecs } from "../../../../store/spec.ts";
import { capitalize, counted } from "../../../../text/wording.ts";
import type { Command, Context, Input, Result } from "../../command.ts";
import { renderTable } from "../../help.ts";
import { nameOf } from "../../named-spec.ts";
import { paint } from "../../paint.ts";
import { renderProgress, type Status } from "../../status-lines.ts";
import { version } from "../../version.ts";
import { listingCommand, renderSpecs } from "./list.ts";

type Line = readonly [command: string, does: string];

const HERE: readonly Line[] = [
  ["status --watch", "follow the run live"],
  ["tasks", "the tasks, and which are done"],
  ["evidence", "what proves each of them"],
  ["doctor", "what is wrong with the setup, and how to fix it"],
  ["--help", "everything else"],
];

const NOWHERE: readonly Line[] = [
  ["demo", "see a spec through with a scripted agent, in a minute"],
  ["doctor", "whether everything is set up"],
  ["start --help", "how a spec begins"],
  ["completion --help", "complete commands with the Tab key"],
  ["--help", "everything else"],
];

/** What the program says when it is run without a command. */
export const home: Command = {
  name: "",
  summary: "where things stand here, and the most useful commands",
  group: "look",
  run(context, input) {
    const project = findProjectFor(context, nameOf(input));
    return project === undefined || listSpecs(project).length === 0
      ? begin(context)
      : show(context, input, project);
  },
};

const heading = ({ colour }: Context): string => `${paint(colour).bold("Smart Ralph")} ${version}`;

const renderLines = ({ program }: Context, lines: readonly Line[]): string =>
  renderTable(lines.map(([command, does]) => [`${program} ${command}`, does]));

function begin(context: Context): Result {
  const { layout } = resolveOrBeginProject(context);
  const start = `${layout.voice.command("start")} <what you want to build>`;
  return {
    text: [
      `${heading(context)} takes a goal to a written spec and a list of tasks, and does not let the agent stop until every task is done and proven.`,
      `There are no ${layout.unit}s here yet. To begin one, type this in your client, in your project:\n\n  ${paint(context.colour).accent(start)}`,
      renderLines(context, NOWHERE),
    ].join("\n\n"),
    json: { ok: true, version, project: null, status: null, begin: start },
  };
}

function show(context: Context, input: Input, project: Project): Result {
  const found = look(context, input);
  const text =
    "why" in found
      ? renderChoice(context, project, found.why)
      : renderShort(context, found.status, project);
  return {
    text: [heading(context), text, renderLines(context, HERE)].join("\n\n"),
    json: { ok: true, version, project: project.root, status: null, ...found },
  };
}

/** Several specs and no active one is no reason to fail here. */
function look(context: Context, input: Input): { status: Status } | { why: string } {
  try {
    return { status: readStatus(context, resolveSpec(context, nameOf(input))) };
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
    renderSpecs(context, listSpecs(project)).text,
    `→ ${commandFor(context, project.layout, "switch")} <name> makes one active`,
  ].join("\n");
}

function renderShort(context: Context, status: Status, { layout }: Project): string {
  const style = paint(context.colour);
  const { others, todo } = status;
  return [
    ...renderProgress(status, style),
    ...(todo === null ? [] : [`→ ${todo}`]),
    ...(others.length === 0
      ? []
      : [
          style.dim(
            `${counted(others.length, `other ${layout.unit}`)}; ${listingCommand(context, layout)}`,
          ),
        ]),
  ].join("\n");
}
