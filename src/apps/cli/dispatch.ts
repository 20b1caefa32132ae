import { resolve } from "node:path";
import { Refusal } from "../../engine/refusal.ts";
import { isInClient } from "../../engine/request.ts";
import { leaveRunTree } from "../../engine/run-trees.ts";
import { isFolder } from "../../store/spec.ts";
import { suggest } from "../../text/suggest.ts";
import { SHELL_PROGRAM } from "../../text/wording.ts";
import { GLOBAL_OPTIONS, optionIn, parseArguments, stringOption } from "./arguments.ts";
import type { Command, Context, Input, Option, Result } from "./command.ts";
import { commands } from "./commands.ts";
import { home } from "./commands/look/home.ts";
import { renderAgentHelp, renderAll, renderCommandHelp, renderHelp, underAgent } from "./help.ts";
import { SYNONYMS } from "./synonyms.ts";
import { version } from "./version.ts";

/** From the words of a command line to what its command says. */
export async function dispatch(context: Context, argv: readonly string[]): Promise<Result> {
  const [name, ...rest] = commandFirst(argv);
  if (name === undefined) return run(context, home, argv);
  if (name === "help" || name === "--help" || name === "-h")
    return help(context, twoWords(rest)[0], rest.includes("--all"));
  if (["--version", "-v", "version"].includes(name))
    return { text: version, json: { ok: true, version } };
  const isAsked = ["--help", "-h"].includes(rest[0] ?? "") || (name === AGENT && !(rest[0] ?? ""));
  if (familyOf(name).length > 0 && isAsked) return help(context, name);
  return run(context, findCommand(context, name, rest[0]), rest);
}

function run(
  context: Context,
  command: Command,
  rest: readonly string[],
): Result | Promise<Result> {
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
export function twoWords([first, second, ...rest]: readonly string[]): string[] {
  if (first === AGENT && second !== undefined) {
    const called = twoWords([second, ...rest]);
    if (commands.some(({ name, group }) => name === called[0] && group === "agent")) return called;
  }
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

/** A person in a run's tree means the project that it came from; whoever works in the tree means the tree. */
const inProject = (context: Context, { group }: Command): Context =>
  isInClient(context) || group === "agent" || group === "plan"
    ? context
    : { ...context, starts: context.starts.map(leaveRunTree) };

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
  const family = familyOf(name);
  if (family.length > 0 && (next === "" || next.startsWith("-"))) {
    throw new Refusal("usage", `${name} needs a subcommand`, `one of: ${family.join(", ")}`);
  }
  const typed = family.length > 0 ? `${name} ${next}` : name;
  const seconds = family.map((one) => one.slice(name.length + 1));
  const meant =
    family.length > 0
      ? listed(suggest(next, seconds)).map((one) => `${name} ${one}`)
      : guess(context, name);
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
function guess(context: Context, name: string): readonly string[] {
  if (name.startsWith("-")) return listed(suggest(name, WORDS.options));
  const here = new Set(commands.filter(isIn(context)).map((one) => one.name));
  const known = (Object.hasOwn(SYNONYMS, name) ? SYNONYMS[name] : undefined) ?? [];
  const meant = known.filter((one) => here.has(one));
  if (meant.length > 0) return meant;
  // `lint` is nearer to `tasks lint` than to `list`.
  const ending = WORDS.commands.find((one) => one.endsWith(` ${name}`));
  return listed(ending ?? suggest(name, WORDS.commands));
}

const WORDS = {
  commands: [
    ...commands.filter(({ group }) => group !== "hook").map(({ name }) => name),
    "help",
    "version",
  ],
  options: Object.keys({ ...GLOBAL_OPTIONS, version: true }).map((one) => `--${one}`),
};

/** `epic` is not a command, but the first word of several. */
const familyOf = (word: string): string[] =>
  commands
    .flatMap((one) => [one.name, ...(one.group === "agent" ? [underAgent(one).name] : [])])
    .filter((name) => name.startsWith(`${word} `));

/** A plugin's program has one layout; in a shell it depends on the project. */
const isIn =
  ({ layout, program }: Context) =>
  ({ layouts, shellOnly }: Command): boolean =>
    (shellOnly !== true || program === SHELL_PROGRAM) &&
    (layout === undefined || layouts === undefined || layouts.includes(layout.id));

function help(context: Context, name: string | undefined, isAll = false): Result {
  const text = renderPage(context, name, isAll);
  return { text, json: { ok: true, help: text } };
}

function renderPage(context: Context, name: string | undefined, isAll: boolean): string {
  const { program } = context;
  const here = commands.filter(isIn(context));
  if (name === AGENT) return renderAgentHelp(here, program);
  if (name === undefined || name.startsWith("-")) {
    // Agents call a plugin's program: what people use in a shell is not in it.
    const render = isAll || program !== SHELL_PROGRAM ? renderAll : renderHelp;
    return render(here, program, version);
  }
  const isCommand = commands.some((one) => one.name === name);
  const names = isCommand ? [name] : familyOf(name);
  return (names.length === 0 ? [name] : names)
    .map((one) => renderCommandHelp(findCommand(context, one), program))
    .join("\n\n");
}
