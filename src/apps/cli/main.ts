import { join } from "node:path";
import { findMark } from "../../agents/process/processes.ts";
import { readNow } from "../../engine/now.ts";
import { startsOf } from "../../engine/whose-run.ts";
import { localRunner } from "../../exec/local-runner.ts";
import { callerOf, editionsOf, hostNamed, hostOf } from "../../hosts/all.ts";
import { findClientAbove } from "../../hosts/client-process.ts";
import type { Caller } from "../../hosts/host.ts";
import { renderRefused } from "../../prompts/render-refused.ts";
import { DRIVEN } from "../../run/driven.ts";
import { MAX_SESSION } from "../../run/loop.ts";
import { takeTicket } from "../../store/tickets.ts";
import { SHELL_PROGRAM } from "../../text/wording.ts";
import { print } from "../stdio/print.ts";
import { readInput } from "../stdio/stdin.ts";
import { separateTyped, splitWords } from "./arguments.ts";
import { type Context, EXIT, type ExitCode } from "./command.ts";
import { commands } from "./commands.ts";
import { dispatch, twoWords } from "./dispatch.ts";
import { renderError, renderResult } from "./output.ts";
import { wantsColour } from "./paint.ts";
import { renderEarly, slashNames, takeTyped, type Typed } from "./typed.ts";

/** Set by the plugins' programs and hooks, which know their layout and client: they pass them before everything else. */
const LAYOUT_FLAG = /^--layout=(.*)$/;
const HOST_FLAG = /^--host=(.*)$/;

/** Who descends from a program that we have started is not the user, whatever it has made of its environment. */
const driven = findMark(process.env);
const env = driven === undefined ? process.env : { ...process.env, [DRIVEN]: driven };

async function main(words: readonly string[]): Promise<ExitCode> {
  const typed = takeTyped(words);
  const { layout, program, rest, ...place } = takePlace(typed?.rest ?? words);
  const called = typed === undefined ? callAlone(rest) : callTyped(program, typed, rest);
  if ("say" in called) {
    print(1, `${called.say}\n`);
    return EXIT.ok;
  }
  const { argv, caller } = called;
  const json = beforeDashes(argv).includes("--json");
  const colour = !json && wantsColour(process.stdout.isTTY === true, process.env);
  try {
    const context = contextOf({ ...place, layout, program, colour, caller });
    const result = await dispatch(context, argv);
    if (!json && result.aside !== undefined) print(2, `${result.aside}\n`);
    print(1, renderResult(result, json, context));
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

function callAlone(argv: readonly string[]): Called {
  const caller = callerOf(env, process.stdin.isTTY === true && process.stdout.isTTY === true);
  const client = caller.authority === "agent" ? undefined : findClientAbove();
  if (client === undefined) return { argv, caller };
  return { argv, caller: { ...caller, authority: "agent", client } };
}

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
  // Nobody types in a session that is driven.
  const ticket =
    driven === undefined ? takeTicket(session, slashNames(command), readNow().at) : undefined;
  if (ticket !== undefined) {
    const caller = { session: session.slice(0, MAX_SESSION), authority: "user" } as const;
    // The agent may run this line if the client does not: whatever it adds does not come from the user.
    return { argv: [...command.split(" "), ...readTyped(command, ticket.args)], caller };
  }
  if (early) return { say: renderEarly(program, command, session) };
  const { caller } = callAlone(argv);
  // Whoever is at a terminal is in no session: a flag cannot say otherwise.
  if (caller.authority === "user") return { argv, caller };
  return { argv, caller: { ...caller, session: caller.session ?? (session || null) } };
}

function readTyped(name: string, words: string): string[] {
  const command = commands.find((one) => one.name === name);
  return command === undefined ? splitWords(words) : separateTyped(command, words);
}

/** After `--` everything is a word. */
const beforeDashes = (argv: readonly string[]): readonly string[] =>
  argv.includes("--") ? argv.slice(0, argv.indexOf("--")) : argv;

interface Place extends Pick<Context, "layout" | "program" | "editions" | "host"> {
  readonly rest: string[];
}

declare const __dirname: string;

function takePlace(argv: readonly string[]): Place {
  const named = HOST_FLAG.exec(argv[0] ?? "")?.[1];
  const host = hostNamed(named) ?? hostOf(process.env);
  const words = named === undefined ? argv : argv.slice(1);
  const wanted = LAYOUT_FLAG.exec(words[0] ?? "")?.[1];
  const ours = editionsOf(host, join(__dirname, "..", "bin"));
  const layout = ours.find(({ id }) => id === wanted);
  if (layout === undefined)
    return { host, editions: editionsOf(host), layout, program: SHELL_PROGRAM, rest: [...words] };
  return { host, editions: ours, layout, program: layout.plugin, rest: words.slice(1) };
}

function contextOf(
  known: Pick<Context, "layout" | "program" | "editions" | "host" | "colour" | "caller">,
): Context {
  const cwd = process.cwd();
  const projectFolder = known.host.environment.projectFolder(process.env);
  const { isTTY, columns } = process.stdout;
  return {
    ...known,
    // A terminal that does not know its width says 0.
    width: isTTY ? columns || 80 : undefined,
    cwd,
    starts: startsOf(cwd, projectFolder),
    env,
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

function report(error: unknown, program: string, json: boolean, colour: boolean): ExitCode {
  const { code, text } = renderError(error, program, json, colour);
  print(json ? 1 : 2, text);
  return code;
}

void main(process.argv.slice(2))
  .catch((error: unknown) => report(error, SHELL_PROGRAM, false, false))
  .then((code) => {
    process.exitCode = code;
  });
