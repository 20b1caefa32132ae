import { cpSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Edition } from "../../src/layouts/layout.ts";
import type { Entry } from "../../src/run/journal.ts";
import type { Diagnostic } from "../../src/text/diagnostic.ts";
import { typeSlash } from "../support/ticket.ts";
import { pathWith, type Ran, REPOSITORY, runChild } from "./child.ts";
import { fillFolder, makeFolder } from "./temporary.ts";
import { runWarm } from "./warm.ts";

export const TASKS = `# Tasks

## Phase 1: Make it work

- [ ] 1.1 First
  - **Do**: the first thing
- [ ] 1.2 Second
- [ ] 1.3 [VERIFY] Check both
`;

export interface Options {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly input?: string;
  readonly uid?: number;
  /** In a process of its own, with the loader. */
  readonly isCold?: true;
  /** The client whose hook it is; the first one without it. */
  readonly host?: string;
}

/** A project on disk and the built program, run in it with a bare environment. */
export interface Place {
  readonly layout: Edition;
  readonly root: string;
  /** The spec's folder. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly run: (args: readonly string[], options?: Options) => Ran;
  /** As the user does it: typed after a slash in a session of the client. */
  readonly slash: (args: readonly string[], session?: string, options?: Options) => Ran;
  /** With `--json`: the one object that it prints, and the exit code. */
  readonly json: (args: readonly string[], options?: Options) => Answer;
  readonly slashJson: (args: readonly string[], session?: string, options?: Options) => Answer;
  readonly hook: (event: string, fields?: object | string, options?: Options) => Ran;
  readonly stop: (fields?: object, options?: Options) => StopAnswer;
  readonly state: () => Record<string, unknown> | undefined;
  readonly entries: () => Entry[];
  readonly tasks: () => string;
}

export type Answer = Readonly<Record<string, unknown>> & { readonly code: number | null };

export interface StopAnswer {
  readonly decision?: string;
  readonly reason?: string;
  readonly systemMessage?: string;
}

export const SESSION = "session-1";

export function makePlace(
  layout: Edition,
  files: Readonly<Record<string, string>> = {},
  name = "demo",
): Place {
  const home = makeFolder();
  const root = join(home, "project");
  const specs = layout.specsDirs[0];
  fillFolder(root, { [`${specs}/${name}/tasks.md`]: TASKS, ...files });
  return openPlace(layout, root, join(root, specs, name), home);
}

/** `program` is the node that everything in the place is run with. */
export function openPlace(
  layout: Edition,
  root: string,
  folder: string,
  home: string,
  more: Readonly<Record<string, string>> = {},
  program = process.execPath,
): Place {
  const dist = join(REPOSITORY, "plugins", layout.plugin, "dist");
  const env = { PATH: pathWith(program), HOME: home, ...more };
  const node = (file: string, args: readonly string[], options: Options = {}): Ran =>
    runChild(
      program,
      [join(options.uid === undefined ? dist : readable(dist, home), file), ...args],
      {
        cwd: options.cwd ?? root,
        env: { ...env, ...options.env },
        input: options.input ?? "",
        ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
      },
    );
  const warm = (file: string, args: readonly string[], options: Options): Ran | undefined => {
    const request = {
      file: join(dist, file),
      args,
      cwd: options.cwd ?? root,
      env: { ...env, ...options.env },
      input: options.input ?? "",
    };
    const isUsual =
      program === process.execPath && options.uid === undefined && options.isCold !== true;
    return isUsual ? runWarm(request) : undefined;
  };
  const run: Place["run"] = (words, options = {}) => {
    const args = [`--layout=${layout.id}`, ...words];
    return warm("cli.cjs", args, options) ?? node("cli.cjs", args, options);
  };
  const slash: Place["slash"] = (args, session = SESSION, options = {}) =>
    run(typeSlash(home, session, args), {
      ...options,
      env: { CLAUDE_CODE_SESSION_ID: session, ...options.env },
    });
  const hook: Place["hook"] = (event, fields = {}, options = {}) => {
    const input =
      typeof fields === "string"
        ? fields
        : JSON.stringify({ session_id: SESSION, cwd: options.cwd ?? root, ...fields });
    const args = options.host === undefined ? [] : [options.host];
    const words = [layout.id, event, ...args];
    const told = { ...options, input };
    return warm("hook.cjs", words, told) ?? node("hook.cjs", words, told);
  };
  return {
    layout,
    root,
    folder,
    env,
    run,
    slash,
    hook,
    json: (args, options) => answerOf(run([...args, "--json"], options)),
    slashJson: (args, session, options) => answerOf(slash([...args, "--json"], session, options)),
    stop(fields = {}, options) {
      const { code, out } = hook("stop", { last_assistant_message: "Done.", ...fields }, options);
      expect(code).toBe(0);
      return out === "" ? {} : (JSON.parse(out) as StopAnswer);
    },
    state() {
      const path = join(folder, layout.stateFile);
      return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as never) : undefined;
    },
    entries() {
      const path = join(folder, layout.journalFile);
      const lines = existsSync(path) ? readFileSync(path, "utf8").split("\n") : [];
      return lines.filter(Boolean).map((line) => JSON.parse(line) as Entry);
    },
    tasks: () => readFileSync(join(folder, "tasks.md"), "utf8"),
  };
}

/** Another user may not be able to read this repository: they get a copy. */
/** Where compiled code is kept. */
export const codeFolder = ({ env }: Pick<Place, "env">): string =>
  join(env["HOME"] as string, ".local/state/smart-ralph/code");

function readable(dist: string, home: string): string {
  const copy = join(home, "dist");
  cpSync(dist, copy, { recursive: true });
  return copy;
}

export function answerOf({ code, out }: Ran): Answer {
  const value = JSON.parse(out) as Record<string, unknown>;
  expect(value["ok"], "every answer says whether it is well").toBeTypeOf("boolean");
  return { ...value, code };
}

/** Where the layout's pointer is, from the project's root. */
export const pointerOf = ({ pointerIn, specsDirs: [first], pointer }: Edition): string =>
  `${pointerIn === "specs-dir" ? first : pointerIn}/${pointer}`;

/** The user's own settings, from the root of a project in their home folder. */
export const userFileOf = ({ plugin }: Edition): string => `../.config/smart-ralph/${plugin}.md`;

export const IN_SESSION: Options = { env: { CLAUDE_CODE_SESSION_ID: SESSION } };

/** A place where a run of three tasks is on. */
export function startPlace(layout: Edition, files: Readonly<Record<string, string>> = {}): Place {
  const place = makePlace(layout, files);
  const { code, err } = place.slash(["implement", "demo"]);
  expect(err).toBe("");
  expect(code).toBe(0);
  return place;
}

export function findingsOf(place: Place, options?: Options): readonly Diagnostic[] {
  return place.json(["doctor"], options)["findings"] as Diagnostic[];
}

export const findingOf = (place: Place, code: string, options?: Options): Diagnostic | undefined =>
  findingsOf(place, options).find((finding) => finding.code === code);

/** An expected failure: nothing on standard output, one line that names the problem and what to do. */
export function expectRefusal(ran: Ran, code: number, ...says: readonly (string | RegExp)[]): void {
  expect(ran.out).toBe("");
  expect(ran.err).toMatch(/^[^\n]+\n$/);
  for (const words of says) expect(ran.err).toMatch(words);
  expect(ran.code).toBe(code);
}
