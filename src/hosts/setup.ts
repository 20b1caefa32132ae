import { isOlder, versionIn } from "../agents/process/probe.ts";
import { runToEnd } from "../exec/run-to-end.ts";
import { type Diagnostic, findingsAbout } from "../text/diagnostic.ts";
import { SHELL_PROGRAM } from "../text/wording.ts";
import type { Environment, Host } from "./host.ts";

/** A client as `doctor` and `init` see it. Separate from `Host`, because no hook needs it. */
export interface HostSetup extends Host {
  /** The oldest version on which our end-to-end tests pass, and how to get a newer one. */
  readonly oldest: string;
  readonly update: string;
  /** Other plugins and settings of the client that would compete with ours. */
  readonly checkOthers?: (
    root: string,
    env: Environment,
  ) => readonly Diagnostic[] | Promise<readonly Diagnostic[]>;
  /** Whether the client runs our plugin there. */
  readonly checkPlugin: (
    plugin: string,
    root: string,
    env: Environment,
  ) => Diagnostic | Promise<Diagnostic>;
  /** What puts our package into it. */
  readonly steps: (wish: InstallWish) => readonly InstallStep[];
  /** What is left for the user to do in the client, in a sentence each. */
  readonly afterwards: (plugin: string) => readonly string[];
}

/** Whether the client is new enough, by what it prints; undefined if it is not there. */
export function checkVersion(
  { name, npm, oldest, update }: Pick<HostSetup, "name" | "npm" | "oldest" | "update">,
  printed: string | undefined,
): Diagnostic {
  const { ok, info, warning } = findingsAbout(name);
  if (printed === undefined) return info(`${name} is not on PATH`, `npm install -g ${npm}`);
  const version = versionIn(printed);
  if (version !== undefined && !isOlder(version, oldest)) return ok(`${name} ${version}`);
  const message = `${name} ${version ?? "of unknown version"} is not tested with these plugins`;
  return warning(message, `${update} (tested from ${oldest})`);
}

/**
 * What the program prints about its version; undefined if it cannot be run. Gemini CLI takes more than a second, and
 * several under load. Ended early, it says nothing and claims success.
 */
export function readVersion(program: string, env: Environment): string | undefined {
  const options = { cwd: process.cwd(), env, limitMs: 30_000, isScript: true } as const;
  const { ok, out } = runToEnd([program, "--version"], options);
  return ok ? out : undefined;
}

/** What to type for that. */
export const setUp = (client: string): string => `${SHELL_PROGRAM} init --client ${client} --yes`;

/** How our package gets into a client. */
export interface InstallWish {
  /** The project's root. */
  readonly root: string;
  /** The folder that our own program is in: the npm package, or a clone. */
  readonly package: string;
  /** The plugin of the project's layout. */
  readonly plugin: string;
  readonly env: Environment;
}

/** One step: a command of the client, a file in the project, or what only the user can do. */
export type InstallStep =
  | {
      readonly kind: "run";
      readonly command: readonly [string, ...string[]];
      readonly why: string;
      /** What the client reads from its terminal: our user's yes is a yes to its question too. */
      readonly input?: string;
    }
  | {
      readonly kind: "file";
      readonly path: string;
      readonly text: string;
      readonly why: string;
      /** It names folders of this machine, so git is not to take it. */
      readonly isLocal?: true;
    }
  | {
      readonly kind: "by-hand";
      readonly what: string;
      readonly why: string;
    };

export const runStep = (command: readonly [string, ...string[]], why: string) =>
  ({ kind: "run", command, why }) as const;

/** How a client is set up so that a run needs nobody to answer it. Separate from `Host`, because no hook needs it. */
export interface HostPermissions {
  /** Its program, and what people call it. */
  readonly client: string;
  readonly title: string;
  /** The user's own settings in a project, relative to its root. */
  readonly file: string;
  /** Adds what is missing. What the user has set, here or elsewhere, stays. Undefined if the file is not valid. */
  readonly plan: (old: string | undefined, wanted: SetupWish) => SetupPlan | undefined;
}

/** One thing that a client's settings would get, for people. */
export interface Addition {
  readonly what: string;
  readonly why?: string;
}

/** What a client's settings would get. */
export interface SetupPlan {
  /** The whole file as it would be; undefined if nothing is missing. */
  readonly text?: string;
  readonly added: readonly Addition[];
  /** Verify commands that the client may ask about, even so: no rule can name them exactly. */
  readonly uncovered: readonly string[];
  /** Under which condition a run needs nobody: "if …". Undefined if there is none. */
  readonly proviso?: string;
}

export interface SetupWish {
  readonly root: string;
  readonly env: Environment;
  /** What agents may run there unasked, with any arguments. */
  readonly commands: readonly string[];
  /** What they may run exactly as it is. */
  readonly verify: readonly string[];
  /** Where those commands come from. */
  readonly tasksFile: string;
  /** The user asks for edits without questions. */
  readonly acceptsEdits: boolean;
}
