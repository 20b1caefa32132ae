import { resolve } from "node:path";
import { Refusal } from "../../engine/refusal.ts";
import { isFolder } from "../../store/spec.ts";
import { suggest } from "../../text/suggest.ts";
import { SHELL_PROGRAM } from "../../text/wording.ts";
import { GLOBAL_OPTIONS, optionIn, parseArguments, stringOption } from "./arguments.ts";
import type { Command, Context, Input, Option, Result } from "./command.ts";
import { commands } from "./commands.ts";
import { home } from "./commands/look/home.ts";
import { renderCommandHelp, renderHelp } from "./help.ts";
import { version } from "./version.ts";

/** From the words of a command line to what its command says. */
export async function dispatch(context: Context, argv: readonly string[]): Promise<Result> {
  const [name, ...rest] = commandFirst(argv);
  if (name === undefined) return run(context, home, argv);
  if (name === "help" || name === "--help" || name === "-h")
    return help(context, twoWords(rest)[0]);
  if (["--version", "-v", "version"].includes(name))
    return { text: version, json: { ok: true, version } };
  if (familyOf(name).length > 0 && ["--help", "-h"].includes(rest[0] ?? ""))
    return help(context, name);
  return run(context, findCommand(context, name, rest[0]), rest);
}

function run(
  context: Context,
  command: Command,
  rest: readonly string[],
): Result | Promise<Result> {
  const input = parseArguments(command, rest, context.program);
  if (input.options["help"] === true) return help(context, command.name);
  return command.run(inDirectory(withLayout(context, input), input, command), input);
}

/** Some commands have two words: `tasks list`. */
export function twoWords([first, second, ...rest]: readonly string[]): string[] {
  const both = `${first} ${second}`;
  if (commands.some(({ name }) => name === both)) return [both, ...rest];
  return [first, second, ...rest].filter((word) => word !== undefined);
}

/** `--json status` and `-C there status` mean the same as `status --json` and `status -C there`. */
function commandFirst(argv: readonly string[]): readonly string[] {
  let at = 0;
  for (let option = optionAt(argv, at); option !== undefined; option = optionAt(argv, at)) {
    at += option.type === "string" && !argv[at]?.includes("=") ? 2 : 1;
  }
  const [name, ...rest] = twoWords(argv.slice(at));
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
function inDirectory(context: Context, input: Input, command: Command): Context {
  const wanted = stringOption(input, "directory");
  if (wanted === undefined) return context;
  if (context.caller.authority === "agent" && isWriting(command, input))
    throw new Refusal("refused", "-C is for people", "an agent works in its own project");
  const cwd = resolve(context.cwd, wanted);
  if (!isFolder(cwd)) throw new Refusal("usage", `-C: there is no folder "${wanted}"`);
  process.chdir(cwd);
  return { ...context, cwd, starts: [cwd] };
}

/** An agent may look anywhere, and works in its own project. */
const isWriting = ({ group, writes, options = {} }: Command, input: Input): boolean =>
  group !== "look" ||
  writes === true ||
  Object.keys(input.options).some((name) => options[name]?.writes === true);

function findCommand(context: Context, name: string, next = ""): Command {
  const command = commands.find((one) => one.name === name);
  if (command?.shellOnly === true && context.program !== SHELL_PROGRAM)
    throw new Refusal(
      "usage",
      `${name} is a command of ${SHELL_PROGRAM}`,
      `type ${SHELL_PROGRAM} ${name} in a shell`,
    );
  if (command !== undefined) return command;
  const family = familyOf(name).map((one) => one.name);
  if (family.length > 0 && (next === "" || next.startsWith("-"))) {
    throw new Refusal("usage", `${name} needs a subcommand`, `one of: ${family.join(", ")}`);
  }
  const typed = family.length > 0 ? `${name} ${next}` : name;
  const all = commands.filter(({ group }) => group !== "hook").map((one) => one.name);
  const options = Object.keys({ ...GLOBAL_OPTIONS, version: true }).map((one) => `--${one}`);
  // `lint` is nearer to `tasks lint` than to `list`.
  const meant =
    all.find((one) => one.endsWith(` ${name}`)) ??
    suggest(typed, family.length > 0 ? family : name.startsWith("-") ? options : all);
  const list =
    family.length > 0 ? `there are: ${family.join(", ")}` : `${context.program} --help lists them`;
  throw new Refusal(
    "usage",
    `there is no command "${typed}"`,
    meant === undefined ? list : `did you mean ${meant}?`,
  );
}

/** `epic` is not a command, but the first word of several. */
const familyOf = (name: string): Command[] =>
  commands.filter((one) => one.name.startsWith(`${name} `));

/** A plugin's program has one layout; in a shell it depends on the project. */
const isIn =
  ({ layout, program }: Context) =>
  ({ layouts, shellOnly }: Command): boolean =>
    (shellOnly !== true || program === SHELL_PROGRAM) &&
    (layout === undefined || layouts === undefined || layouts.includes(layout.id));

function help(context: Context, name: string | undefined): Result {
  const isCommand = commands.some((one) => one.name === name);
  const family = name === undefined || isCommand ? [] : familyOf(name);
  const text =
    name === undefined || name.startsWith("-")
      ? renderHelp(commands.filter(isIn(context)), context.program, version)
      : family.length > 0
        ? family.map((one) => renderCommandHelp(one, context.program)).join("\n\n")
        : renderCommandHelp(findCommand(context, name), context.program);
  return { text, json: { ok: true, help: text } };
}
