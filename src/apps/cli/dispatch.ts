import { resolve } from "node:path";
import { Refusal } from "../../engine/refusal.ts";
import { isInClient } from "../../engine/request.ts";
import { leaveRunTree } from "../../engine/run-trees.ts";
import { isFolder } from "../../store/spec.ts";
import { suggest } from "../../text/suggest.ts";
import { SHELL_PROGRAM } from "../../text/wording.ts";
import { GLOBAL_OPTIONS, optionIn, parseArguments, stringOption } from "./arguments.ts";
import type { NamedCommand, Context, Input, Option, Result } from "./command.ts";
import { commandNames, loadCommand, loadCommands } from "./commands.ts";
import { renderAgentHelp, renderAll, renderCommandHelp, renderHelp, underAgent } from "./help.ts";
import { SYNONYMS } from "./synonyms.ts";
import { version } from "./version.ts";

/** From the words of a command line to what its command says. */
export async function dispatch(context: Context, argv: readonly string[]): Promise<Result> {
  const [name, ...rest] = await commandFirst(argv);
  if (name === undefined) return run(context, (await import("./commands/look/home.ts")).home, argv);
  if (name === "help" || name === "--help" || name === "-h")
    return help(context, (await twoWords(rest))[0], rest.includes("--all"));
  if (["--version", "-v", "version"].includes(name)) return { text: version, json: { version } };
  const isAsked = ["--help", "-h"].includes(rest[0] ?? "") || (name === AGENT && !(rest[0] ?? ""));
  if (isAsked && familyOf(name, await loadCommands()).length > 0) return help(context, name);
  return run(context, await findCommand(context, name, rest[0]), rest);
}

async function run(
  context: Context,
  command: NamedCommand,
  rest: readonly string[],
): Promise<Result> {
  const input = parseArguments(command, rest, context.program);
  if (input.options["help"] === true) return help(context, command.name);
  return command.run(
    inProject(inDirectory(withLayout(context, input), input, command), command),
    input,
  );
}

/** Before the commands for agents, which are also commands without it. */
const AGENT = "agent";

/** Some commands have two words: `tasks list`. `agent done` is `done`. */
export async function twoWords([first, second, ...rest]: readonly string[]): Promise<string[]> {
  if (first === AGENT && second !== undefined) {
    const called = await twoWords([second, ...rest]);
    if ((await loadCommand(called[0] ?? ""))?.group === AGENT) return called;
  }
  const both = `${first} ${second}`;
  if (commandNames.includes(both)) return [both, ...rest];
  return [first, second, ...rest].filter((word) => word !== undefined);
}

/** `--json status` and `-C there status` mean the same as `status --json` and `status -C there`. */
export async function commandFirst(argv: readonly string[]): Promise<readonly string[]> {
  let at = 0;
  for (let option = optionAt(argv, at); option !== undefined; option = optionAt(argv, at)) {
    at += option.value !== undefined && !argv[at]?.includes("=") ? 2 : 1;
  }
  const [name, ...rest] = await twoWords(argv.slice(at));
  return name === undefined ? [] : [name, ...argv.slice(0, at), ...rest];
}

/** The global option at this position; `--help` alone counts as a command. */
function optionAt(argv: readonly string[], at: number): Option | undefined {
  const name = optionIn(argv[at] ?? "", GLOBAL_OPTIONS);
  return name === undefined || name === "help" ? undefined : GLOBAL_OPTIONS[name];
}

function withLayout(context: Context, input: Input): Context {
  const wanted = stringOption(input, "layout");
  if (wanted === undefined) return context;
  const { editions } = context;
  const layout = editions.find(({ id }) => id === wanted);
  if (layout !== undefined) return { ...context, layout };
  const names = editions.map(({ id }) => id);
  throw new Refusal(
    "usage",
    `--layout takes ${names.slice(0, -1).join(", ")} or ${names.at(-1)}, not "${wanted}"`,
  );
}

/** The project there, whatever folder the client's session began in. */
function inDirectory(context: Context, input: Input, command: NamedCommand): Context {
  const wanted = stringOption(input, "directory");
  if (wanted === undefined) return context;
  if (context.caller.authority === "agent" && isWriting(command, input))
    throw new Refusal("refused", "-C is for people", "an agent works in its own project");
  const cwd = resolve(context.cwd, wanted);
  if (!isFolder(cwd)) throw new Refusal("usage", `-C: there is no folder "${wanted}"`);
  process.chdir(cwd);
  return { ...context, cwd, starts: [cwd] };
}

/** A person in a run's tree means the project that it came from; whoever works in the tree means the tree. */
const inProject = (context: Context, { group }: NamedCommand): Context =>
  isInClient(context) || group === "agent" || group === "plan"
    ? context
    : { ...context, starts: context.starts.map(leaveRunTree) };

/** An agent may look anywhere, and works in its own project. */
const isWriting = ({ group, writes, options = {} }: NamedCommand, input: Input): boolean =>
  group !== "look" ||
  writes === true ||
  Object.keys(input.options).some((name) => options[name]?.writes === true);

async function findCommand(context: Context, name: string, next = ""): Promise<NamedCommand> {
  const command = await loadCommand(name);
  if (command?.shellOnly === true && context.program !== SHELL_PROGRAM)
    throw new Refusal(
      "usage",
      `${name} is a command of ${SHELL_PROGRAM}`,
      `type ${SHELL_PROGRAM} ${name} in a shell`,
    );
  if (command !== undefined) return command;
  const commands = await loadCommands();
  const family = familyOf(name, commands);
  if (family.length > 0 && (next === "" || next.startsWith("-"))) {
    throw new Refusal("usage", `${name} needs a subcommand`, `one of: ${family.join(", ")}`);
  }
  const typed = family.length > 0 ? `${name} ${next}` : name;
  const seconds = family.map((one) => one.slice(name.length + 1));
  const meant =
    family.length > 0
      ? listed(suggest(next, seconds)).map((one) => `${name} ${one}`)
      : guess(context, name, commands);
  const list =
    family.length > 0
      ? `there are: ${family.join(", ")}`
      : `${context.program} help --all lists them`;
  throw new Refusal(
    "usage",
    `there is no command "${typed}"`,
    meant.length === 0 ? list : `did you mean ${meant.join(" or ")}?`,
  );
}

const listed = (one: string | undefined): string[] => (one === undefined ? [] : [one]);

/** What somebody who typed this probably wanted. */
function guess(
  context: Context,
  name: string,
  commands: readonly NamedCommand[],
): readonly string[] {
  if (name.startsWith("-")) return listed(suggest(name, OPTIONS));
  const here = new Set(commands.filter(isIn(context)).map((one) => one.name));
  const known = (Object.hasOwn(SYNONYMS, name) ? SYNONYMS[name] : undefined) ?? [];
  const meant = known.filter((one) => here.has(one));
  if (meant.length > 0) return meant;
  // `lint` is nearer to `tasks lint` than to `list`.
  const words = [
    ...commands.filter(({ group }) => group !== "hook").map((one) => one.name),
    "help",
    "version",
  ];
  const ending = words.find((one) => one.endsWith(` ${name}`));
  return listed(ending ?? suggest(name, words));
}

const OPTIONS = Object.keys({ ...GLOBAL_OPTIONS, version: true }).map((one) => `--${one}`);

/** `epic` is not a command, but the first word of several. */
const familyOf = (word: string, commands: readonly NamedCommand[]): string[] =>
  commands
    .flatMap((one) => [one.name, ...(one.group === "agent" ? [underAgent(one).name] : [])])
    .filter((name) => name.startsWith(`${word} `));

/** A plugin's program has one layout; in a shell it depends on the project. */
const isIn =
  ({ layout, program }: Context) =>
  ({ layouts, shellOnly }: NamedCommand): boolean =>
    (shellOnly !== true || program === SHELL_PROGRAM) &&
    (layout === undefined || layouts === undefined || layouts.includes(layout.id));

async function help(context: Context, name: string | undefined, isAll = false): Promise<Result> {
  const text = await renderPage(context, name, isAll);
  return { text, json: { help: text } };
}

async function renderPage(
  context: Context,
  name: string | undefined,
  isAll: boolean,
): Promise<string> {
  const { program } = context;
  const commands = await loadCommands();
  const here = commands.filter(isIn(context));
  if (name === AGENT) return renderAgentHelp(here, program);
  if (name === undefined || name.startsWith("-")) {
    // Agents call a plugin's program: what people use in a shell is not in it.
    const render = isAll || program !== SHELL_PROGRAM ? renderAll : renderHelp;
    return render(here, program, version);
  }
  const names = commandNames.includes(name) ? [name] : familyOf(name, commands);
  const found = (names.length === 0 ? [name] : names).map((one) => findCommand(context, one));
  return (await Promise.all(found)).map((one) => renderCommandHelp(one, program)).join("\n\n");
}
