import { join } from "node:path";
import { separateTyped } from "../../src/apps/cli/arguments.ts";
import type { Context } from "../../src/apps/cli/command.ts";
import { EXIT } from "../../src/apps/cli/command.ts";
import { loadCommand } from "../../src/apps/cli/commands.ts";
import { dispatch } from "../../src/apps/cli/dispatch.ts";
import { renderError, renderResult } from "../../src/apps/cli/output.ts";
import { startsOf } from "../../src/engine/find-run.ts";
import { readNow } from "../../src/engine/now.ts";
import { localRunner } from "../../src/exec/local-runner.ts";
import { editionsOf, hosts } from "../../src/hosts/all.ts";
import type { Edition } from "../../src/layouts/layout.ts";
import { SHELL_PROGRAM } from "../../src/text/wording.ts";
import { type Ran, REPOSITORY } from "../program/child.ts";
import { type Answer, answerOf, type Place, SESSION } from "../program/support.ts";
import { typedLine } from "./ticket.ts";

/** The commands of a place without a process: what they decide is asked of the engine itself. */
export interface Desk {
  readonly run: (argv: readonly string[], more?: Partial<Context>) => Promise<Ran>;
  readonly json: (argv: readonly string[], more?: Partial<Context>) => Promise<Answer>;
  /** As the user types it after a slash in a session of the client. */
  readonly slash: (argv: readonly string[]) => Promise<Ran>;
  readonly slashJson: (argv: readonly string[]) => Promise<Answer>;
}

/** Who asks: nobody in particular in a shell, unless told. */
export const AGENT = { caller: { session: SESSION, authority: "agent" } } as const;
const USER = { caller: { session: SESSION, authority: "user" } } as const;
/** The program that people have in a shell: the project shows the layout. */
export const SHELL = { layout: undefined, program: SHELL_PROGRAM } as const;

const [host] = hosts;
const never = new AbortController().signal;

export function openDesk(place: Place): Desk {
  const run: Desk["run"] = async (argv, more = {}) => {
    const { root, env } = place;
    const editions = editionsOf(host, join(REPOSITORY, "plugins", place.layout.plugin, "bin"));
    const layout = editions.find(({ id }) => id === place.layout.id) as Edition;
    const cwd = more.cwd ?? root;
    const printed = { out: "", err: "" };
    const context: Context = {
      host,
      layout,
      program: layout.plugin,
      editions,
      caller: { session: null, authority: "user" },
      colour: false,
      width: undefined,
      starts: startsOf(cwd, undefined),
      cwd,
      env,
      now: readNow,
      readStdin: () => "",
      write: (text) => ((printed.out += text), true),
      verifier: localRunner,
      signal: () => never,
      ...more,
    };
    const end = argv.indexOf("--");
    const json = argv.slice(0, end === -1 ? undefined : end).includes("--json");
    return within({ cwd, env }, async () => {
      try {
        const result = await dispatch(context, argv);
        printed.out += renderResult(result, json, context);
        return { code: result.code ?? EXIT.ok, ...printed };
      } catch (error) {
        const { code, text } = renderError(error, context.program, json, false);
        printed[json ? "out" : "err"] += text;
        return { code, ...printed };
      }
    });
  };
  const slash: Desk["slash"] = async ([name = "", ...words]) => {
    const command = await loadCommand(name);
    const typed = typedLine(words);
    return run([name, ...(command === undefined ? words : separateTyped(command, typed))], USER);
  };
  return {
    run,
    slash,
    json: async (argv, more) => answerOf(await run([...argv, "--json"], more)),
    slashJson: async (argv) => answerOf(await slash([...argv, "--json"])),
  };
}

/** In the place's folder and environment, which the store reads: another user's home, not that of the tests. */
async function within<T>(
  { cwd, env }: Pick<Context, "cwd" | "env">,
  work: () => Promise<T>,
): Promise<T> {
  const before = { cwd: process.cwd(), env: { ...process.env } };
  const enter = (folder: string, variables: object): void => {
    process.chdir(folder);
    for (const name of Object.keys(process.env)) delete process.env[name];
    Object.assign(process.env, variables);
  };
  enter(cwd, env);
  try {
    return await work();
  } finally {
    enter(before.cwd, before.env);
  }
}
