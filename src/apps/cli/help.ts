import { GLOBAL_OPTIONS } from "./arguments.ts";
import { type Command, EXIT, type Option } from "./command.ts";

const GROUPS = {
  plan: "From an idea to tasks",
  run: "Run a spec",
  look: "Look and check",
  agent: "For agents: they call these, so that they never edit the state by hand",
} as const;

export function renderHelp(commands: readonly Command[], program: string, version: string): string {
  const groups = Object.entries(GROUPS).map(([group, title]) => {
    const rows = commands
      .filter((command) => command.group === group)
      .map((command) => [signature(command), command.summary] as const);
    return `${title}:\n${renderTable(rows)}`;
  });
  return `${program} ${version}: works through a spec's tasks.md until every task is done

Usage: ${program} <command> [arguments] [--json]

${groups.join("\n\n")}

Options for every command:
${renderTable(optionRows(GLOBAL_OPTIONS))}

Exit codes: ${exitCodes()}
Of run: ${RUN_EXITS}
${program} <command> --help says more about one command; ${program} -v prints the version.`;
}

export function renderCommandHelp(command: Command, program: string): string {
  const parts = [
    `${program} ${signature(command)}: ${command.summary}`,
    command.details,
    `Options:\n${renderTable(optionRows({ ...command.options, ...GLOBAL_OPTIONS }))}`,
    `Exit codes: ${command.exits ?? exitCodes()}`,
  ];
  return parts.filter((part) => part !== undefined).join("\n\n");
}

const signature = (command: Command): string => [command.name, ...(command.args ?? [])].join(" ");

const optionRows = (options: Readonly<Record<string, Option>>): [string, string][] =>
  Object.entries(options).map(([name, option]) => [showOption(name, option), option.summary]);

/** `-C, --directory <dir>` */
export const showOption = (name: string, { value, short }: Option): string =>
  `${short === undefined ? "" : `-${short}, `}--${name}${value === undefined ? "" : ` <${value}>`}`;

/** What `run` has besides. */
export const RUN_EXITS = `${EXIT.waits} waits for your answers, ${EXIT.budget} a budget is used up, ${EXIT.unavailable} no agent can work, ${EXIT.unproven} done but not proven, ${EXIT.stopped} stopped by you`;

const exitCodes = (): string =>
  `${EXIT.ok} done, ${EXIT.refused} refused or a check failed, ${EXIT.usage} wrong arguments, ${EXIT.missing} nothing to act on, ${EXIT.broken} a file is corrupt or held, ${EXIT.internal} an internal error`;

/** Two columns. */
export function renderTable(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join("\n");
}
