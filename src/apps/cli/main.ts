import { startsOf } from "../../engine/find-run.ts";
import { readNow } from "../../engine/now.ts";
import { Refusal } from "../../engine/refusal.ts";
import { localRunner } from "../../exec/local-runner.ts";
import { editions, host } from "../../hosts/all.ts";
import type { Caller } from "../../hosts/host.ts";
import type { Edition } from "../../layouts/layout.ts";
import { MAX_SESSION } from "../../run/loop.ts";
import { takeTicket } from "../../store/tickets.ts";
import { print } from "../stdio/print.ts";
import { readInput } from "../stdio/stdin.ts";
import {
  GLOBAL_OPTIONS,
  parseArguments,
  separateTyped,
  splitWords,
  stringOption,
} from "./arguments.ts";
import {
  type Command,
  type Context,
  EXIT,
  type ExitCode,
  type Option,
  type Result,
} from "./command.ts";
import { commands } from "./commands.ts";
import { renderCommandHelp, renderHelp } from "./help.ts";
import { renderError, renderResult } from "./output.ts";
import { wantsColour } from "./paint.ts";
import { suggest } from "./suggest.ts";
import { renderEarly, renderRefused, slashNames, takeTyped, type Typed } from "./typed.ts";
import { version } from "./version.ts";

/** Set by the plugins' programs, which know their layout: they pass it before everything else. */
const LAYOUT_FLAG = /^--layout=(.*)$/;

async function main(words: readonly string[]): Promise<ExitCode> {
  const typed = takeTyped(words);
  const { layout, program, rest } = takeLayout(typed?.rest ?? words);
  const called = typed === undefined ? callAlone(rest) : callTyped(program, typed, rest);
  if ("say" in called) {
    print(1, `${called.say}\n`);
    return EXIT.ok;
  }
  const { argv, caller } = called;
  const json = beforeDashes(argv).includes("--json");
  const colour = !json && wantsColour(process.stdout.isTTY === true, process.env);
  try {
    const result = await dispatch(contextOf(layout, program, colour, caller), argv);
    print(1, renderResult(result, json, colour));
    return typed?.asPrompt === true ? EXIT.ok : (result.code ?? EXIT.ok);
  } catch (error) {
    if (typed?.asPrompt !== true || json) return report(error, program, json, colour);
    print(1, renderRefused(renderError(error, program, json, false).text));
    return EXIT.ok;
  }
}

interface Called {
  readonly argv: readonly string[];
  readonly caller: Caller;
}

const callAlone = (argv: readonly string[]): Called => ({
  argv,
  caller: host.environment.callerOf(
    process.env,
    process.stdin.isTTY === true && process.stdout.isTTY === true,
  ),
});

/**
 * A slash command: what the user typed after it, and the user's authority, come from the ticket that the client's hook
 * left. None of it has been through a shell.
 */
function callTyped(
  program: string,
  { session, early }: Typed,
  argv: readonly string[],
): Called | { readonly say: string } {
  const [command = ""] = twoWords(argv);
  const ticket = takeTicket(session, slashNames(command), readNow().at);
  if (ticket !== undefined) {
    const caller = { session: session.slice(0, MAX_SESSION), authority: "user" } as const;
    // The agent may run this line if the client does not: whatever it adds does not come from the user.
    return { argv: [...command.split(" "), ...readTyped(command, ticket.args)], caller };
  }
  if (early) return { say: renderEarly(program, command, session) };
  const { caller } = callAlone(argv);
  return { argv, caller: { ...caller, session: caller.session ?? (session || null) } };
}

function readTyped(name: string, words: string): string[] {
  const command = commands.find((one) => one.name === name);
  return command === undefined ? splitWords(words) : separateTyped(command, words);
}

/** After `--` everything is a word. */
const beforeDashes = (argv: readonly string[]): readonly string[] =>
  argv.includes("--") ? argv.slice(0, argv.indexOf("--")) : argv;

function takeLayout(argv: readonly string[]): {
  layout: Edition | undefined;
  program: string;
  rest: string[];
} {
  const wanted = LAYOUT_FLAG.exec(argv[0] ?? "")?.[1];
  const layout = editions.find(({ id }) => id === wanted);
  if (layout === undefined) return { layout, program: "smart-ralph", rest: [...argv] };
  return { layout, program: layout.plugin, rest: argv.slice(1) };
}

function contextOf(
  layout: Edition | undefined,
  program: string,
  colour: boolean,
  caller: Caller,
): Context {
  const cwd = process.cwd();
  const projectFolder = host.environment.projectFolder(process.env);
  return {
    layout,
    program,
    colour,
    caller,
    cwd,
    starts: startsOf(cwd, projectFolder),
    env: process.env,
    now: readNow,
    readStdin: readInput,
    write: (text) => print(1, text),
    verifier: localRunner,
    signal: abortOnSignal,
  };
}

let controller: AbortController | undefined;

/** A client may end us at its own timeout. Listeners have ended their processes by the time `abort` returns. */
function abortOnSignal(): AbortSignal {
  if (controller !== undefined) return controller.signal;
  const ours = (controller = new AbortController());
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.once(name, () => {
      ours.abort();
      process.exit(EXIT.refused);
    });
  return ours.signal;
}

async function dispatch(context: Context, argv: readonly string[]): Promise<Result> {
  const [name, ...rest] = twoWords(commandFirst(argv));
  if (name === undefined || name === "help" || name === "--help" || name === "-h")
    return help(context, twoWords(rest)[0]);
  if (["--version", "-v", "version"].includes(name))
    return { text: version, json: { ok: true, version } };
  if (familyOf(name).length > 0 && ["--help", "-h"].includes(rest[0] ?? ""))
    return help(context, name);
  const command = findCommand(context, name, rest[0]);
  const input = parseArguments(command, rest, context.program);
  if (input.options["help"] === true) return help(context, name);
  return command.run(withLayout(context, stringOption(input, "layout")), input);
}

/** Some commands have two words: `tasks list`. */
function twoWords([first, second, ...rest]: readonly string[]): string[] {
  const both = `${first} ${second}`;
  if (commands.some(({ name }) => name === both)) return [both, ...rest];
  return [first, second, ...rest].filter((word) => word !== undefined);
}

/** `--json status` and `--spec demo status` mean the same as `status --json` and `status --spec demo`. */
function commandFirst(argv: readonly string[]): readonly string[] {
  let at = 0;
  for (let option = optionAt(argv, at); option !== undefined; option = optionAt(argv, at)) {
    at += option.type === "string" && !argv[at]?.includes("=") ? 2 : 1;
  }
  return [...argv.slice(at, at + 1), ...argv.slice(0, at), ...argv.slice(at + 1)];
}

/** The global option at this position; `--help` alone counts as a command. */
function optionAt(argv: readonly string[], at: number): Option | undefined {
  const name = /^--([a-z]+)/.exec(argv[at] ?? "")?.[1] ?? "";
  return name === "help" ? undefined : GLOBAL_OPTIONS[name];
}

function withLayout(context: Context, wanted: string | boolean | undefined): Context {
  if (wanted === undefined) return context;
  const layout = editions.find(({ id }) => id === wanted);
  if (layout !== undefined) return { ...context, layout };
  const names = editions.map(({ id }) => id).join(" or ");
  throw new Refusal("usage", `--layout takes ${names}, not "${String(wanted)}"`);
}

function findCommand(context: Context, name: string, next = ""): Command {
  const command = commands.find((one) => one.name === name);
  if (command !== undefined) return command;
  const family = familyOf(name).map((one) => one.name);
  if (family.length > 0 && (next === "" || next.startsWith("-"))) {
    throw new Refusal("usage", `${name} needs a subcommand`, `one of: ${family.join(", ")}`);
  }
  const typed = family.length > 0 ? `${name} ${next}` : name;
  const all = commands.filter(({ group }) => group !== "hook").map((one) => one.name);
  const meant = suggest(typed, family.length > 0 ? family : all);
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

function help(context: Context, name: string | undefined): Result {
  const isCommand = commands.some((one) => one.name === name);
  const family = name === undefined || isCommand ? [] : familyOf(name);
  const text =
    name === undefined || name.startsWith("-")
      ? renderHelp(commands, context.program, version)
      : family.length > 0
        ? family.map((one) => renderCommandHelp(one, context.program)).join("\n\n")
        : renderCommandHelp(findCommand(context, name), context.program);
  return { text, json: { ok: true, help: text } };
}

function report(error: unknown, program: string, json: boolean, colour: boolean): ExitCode {
  const { code, text } = renderError(error, program, json, colour);
  print(json ? 1 : 2, text);
  return code;
}

void main(process.argv.slice(2))
  .catch((error: unknown) => report(error, "smart-ralph", false, false))
  .then((code) => {
    process.exitCode = code;
  });
