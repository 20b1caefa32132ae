import { planAgents } from "../../../../engine/choose-agents.ts";
import { writeSetting } from "../../../../engine/configure.ts";
import {
  type InitPlan,
  planInit,
  type PlannedFile,
  writeInit,
} from "../../../../engine/init-project.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { permissions } from "../../../../hosts/first.ts";
import type { Addition } from "../../../../hosts/setup.ts";
import { findClients, setups } from "../../../../hosts/setups.ts";
import { formatChoice } from "../../../../run/agent-choice.ts";
import { clean, showCommand } from "../../../../text/template.ts";
import { stringOption } from "../../arguments.ts";
import type { Command, Context, Input, Result } from "../../command.ts";
import { installInto, isMeant } from "./install.ts";

export const init: Command = {
  summary: "set a project up for runs that nobody watches: settings and permissions",
  options: {
    yes: { summary: "really do it; without, it only shows what it would write" },
    "accept-edits": { summary: "set the client's mode acceptEdits, unless you have set one" },
    client: {
      value: setups.map(({ name }) => name).join(","),
      summary: "install the package into these clients",
    },
    agent: {
      value: "name,…|auto",
      summary: "make these the agents of run, in your own settings; auto: the first one installed",
    },
    "dry-run": { summary: "only show it, even with --yes" },
  },
  details: `Adds what is missing to your own settings in this project, and changes nothing that you have set: agents may run
git, the checks that the project's files show, and the Verify commands of the active spec, exactly as they are. What a run
needs of our own program is allowed by its hook. The permission mode stays as it is, because the default of newer clients,
auto, asks less than acceptEdits; a client without it gets acceptEdits. To take it back, remove the lines that it lists.

With --client it installs our package instead: it runs the client's own install commands, or writes the files that the
client reads, and says what is left for you to do. With --agent it only chooses the agents that run starts.`,
  run(context, input) {
    const agents = stringOption(input, "agent");
    if (agents !== undefined) return initAgents(context, input, agents);
    const clients = stringOption(input, "client");
    if (clients !== undefined) return installInto(context, input, clients);
    const plan = planInit(context, input.options["accept-edits"] === true);
    const found = findClients(context.env);
    requireItsClient(context, found);
    const writes = isMeant(input);
    if (writes) writeInit(plan);
    return resultOf(context, plan, writes, found);
  },
};

type Found = ReturnType<typeof findClients>;

/** Somebody who has only other clients has no use for these settings. */
function requireItsClient({ program }: Context, found: Found): void {
  const names = found.map(({ setup }) => setup.name);
  if (names.includes(permissions.client)) return;
  throw new Refusal(
    "refused",
    `this sets up ${permissions.title}, which is not on PATH`,
    `for ${names.join(" and ")}: ${program} init --client ${names.join(",")}`,
  );
}

function resultOf(context: Context, plan: InitPlan, wrote: boolean, found: Found): Result {
  const { project, files, uncovered, unignored } = plan;
  const { layout } = project;
  const client = found.map((one) => one.client.message).join(", ");
  const lines = [
    `${layout.plugin} in ${project.root}; ${client}.`,
    ...(files.length === 0
      ? [uncovered.length === 0 ? "Everything is set up." : "Nothing to add."]
      : files.flatMap((file) => show(file, wrote))),
    ...(files.length === 0 || wrote
      ? []
      : [`Nothing is written yet: ${context.program} init --yes does it.`]),
    ...uncovered.map(
      (command) => `No exact rule can allow this Verify: ${showCommand(command, 100)}`,
    ),
    ...(unignored.length === 0
      ? []
      : [`These files are yours alone; add them to .gitignore: ${unignored.join(", ")}`]),
  ];
  return {
    text: clean(lines.join("\n")),
    json: {
      project: project.root,
      layout: layout.id,
      client,
      written: wrote && files.length > 0,
      files: files.map(({ path, isNew, added }) => ({
        path,
        new: isNew,
        added: added.map(({ what }) => what),
      })),
      uncovered,
      gitignore: unignored,
    },
  };
}

function show({ path, isNew, added }: PlannedFile, wrote: boolean): string[] {
  return [`${verbOf(isNew, wrote)} ${path}:`, ...added.map(showOne)];
}

const showOne = ({ what, why }: Addition): string =>
  `  + ${what}${why === undefined ? "" : `   (${why})`}`;

const verbOf = (isNew: boolean, wrote: boolean): string =>
  wrote ? (isNew ? "Wrote" : "Changed") : isNew ? "Would write" : "Would change";

/** `init --agent a,b`: whom `run` starts. */
function initAgents(context: Context, input: Input, names: string): Result {
  const plan = planAgents(context, names);
  const { path, isNew, line, choices, text } = plan;
  const writes = isMeant(input);
  if (writes) writeSetting(plan);
  const agents = choices.map(formatChoice);
  const again = `Nothing is written yet: ${context.program} init --agent ${agents.join(",")} --yes does it.`;
  const lines =
    text === undefined
      ? [`${path} says so already.`]
      : [`${verbOf(isNew, writes)} ${path}:`, `  + ${line}`, ...(writes ? [] : [again])];
  return {
    text: clean(lines.join("\n")),
    json: { path, agents, written: writes && text !== undefined },
  };
}
