import { RUN_ENDS } from "../../runner/run-status.ts";
import { SHELL_PROGRAM } from "../../text/wording.ts";
import { GLOBAL_OPTIONS } from "./arguments.ts";
import { type NamedCommand, EXIT, type Option } from "./command.ts";

/** What people use, from the goal to the merge. `help` shows only these, on one screen. */
export const EVERYDAY = {
  "Do the work": ["run", "watch", "stop", "take"],
  Decide: ["inbox", "answer"],
  "See what was done": ["status", "list", "summary"],
  "Set up": ["demo", "agents", "doctor"],
} as const;

/** Everything, by who calls it. */
export const GROUPS = {
  plan: "From an idea to tasks",
  run: "Run a spec",
  look: "Look and check",
  agent: "For agents: they call these, so that they never edit the state by hand",
} as const;

export function renderHelp(
  commands: readonly NamedCommand[],
  program: string,
  version: string,
): string {
  const rows = Object.values(EVERYDAY).flatMap((names) =>
    names.flatMap((name) => rowsOf(commands.filter((command) => command.name === name))),
  );
  const lines = renderTable(rows).split("\n");
  const groups = Object.entries(EVERYDAY).map(([title, names]) =>
    [`${title}:`, ...lines.splice(0, names.length)].join("\n"),
  );
  return `${program} ${version}: coding agents that finish with proof

${groups.join("\n\n")}

${program} help --all lists every command; ${program} run --help explains one.`;
}

/** The commands for agents. */
export const renderAgentHelp = (commands: readonly NamedCommand[], program: string): string =>
  `${renderGroup(GROUPS.agent, commands.filter(({ group }) => group === "agent").map(underAgent))}

${program} agent <command> --help explains one. The agents that run can start: ${program} agents`;

/** A command for agents by its full name. */
export const underAgent = (command: NamedCommand): NamedCommand =>
  command.group === "agent" ? { ...command, name: `agent ${command.name}` } : command;

const renderGroup = (title: string, commands: readonly NamedCommand[]): string =>
  `${title}:\n${renderTable(rowsOf(commands))}`;

const rowsOf = (commands: readonly NamedCommand[]): [string, string][] =>
  commands.map((command) => [signature(command), command.summary]);

/** Every command. In a shell, those for agents have a page of their own. */
export function renderAll(
  commands: readonly NamedCommand[],
  program: string,
  version: string,
): string {
  const groups = Object.entries(GROUPS).map(([name, title]) =>
    name === "agent" && program === SHELL_PROGRAM
      ? `For agents:\n${renderTable([["agent <command>", `${program} agent --help lists them`]])}`
      : renderGroup(
          title,
          commands.filter(({ group }) => group === name),
        ),
  );
  return `${program} ${version}: works through a spec's tasks.md until every task is done

Usage: ${program} <command> [arguments] [--json]

${groups.join("\n\n")}

Options for every command:
${renderTable(optionRows(GLOBAL_OPTIONS))}

Exit codes: ${exitCodes()}
Of run: ${describeRunExits()}
${program} <command> --help says more about one command; ${program} -v prints the version.`;
}

export function renderCommandHelp(command: NamedCommand, program: string): string {
  const parts = [
    `${program} ${signature(command)}: ${command.summary}`,
    // The lines of a paragraph are as wide as the source allows; a terminal has its own width.
    command.details?.replace(/(?<!\n)\n(?=[^\s-])/g, " "),
    `Options:\n${renderTable(optionRows({ ...command.options, ...GLOBAL_OPTIONS }))}`,
    `Exit codes: ${command.exits ?? exitCodes()}`,
  ];
  return parts.filter((part) => part !== undefined).join("\n\n");
}

const signature = (command: NamedCommand): string =>
  [command.name, ...(command.args ?? [])].join(" ");

const optionRows = (options: Readonly<Record<string, Option>>): [string, string][] =>
  Object.entries(options).map(([name, option]) => [showOption(name, option), option.summary]);

/** `-C, --directory <dir>` */
export const showOption = (name: string, { value, short }: Option): string =>
  `${short === undefined ? "" : `-${short}, `}--${name}${value === undefined ? "" : ` <${value}>`}`;

/** What `run` has besides. */
export const RUN_EXITS = Object.values(RUN_ENDS)
  .filter(({ exit }) => exit > EXIT.broken)
  .sort((a, b) => a.exit - b.exit);

export const describeRunExits = (): string =>
  RUN_EXITS.map(({ exit, words }) => `${exit} ${words}`).join("; ");

const exitCodes = (): string =>
  `${EXIT.ok} done, ${EXIT.refused} refused or a check failed, ${EXIT.usage} wrong arguments, ${EXIT.missing} nothing to act on, ${EXIT.broken} a file is corrupt or held, ${EXIT.internal} an internal error`;

/** Two columns. */
export function renderTable(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join("\n");
}
