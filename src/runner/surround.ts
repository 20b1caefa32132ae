import { planAgentEnvironment } from "../agents/environment.ts";
import { planAgentFolders } from "../agents/folders.ts";
import type { Work } from "../agents/port.ts";
import { Refusal } from "../engine/refusal.ts";
import { makeLocalRunner } from "../exec/local-runner.ts";
import type { Wrap } from "../exec/sandbox-argv.ts";
import { openSandbox, type Sandbox, type SandboxPlace, wrapperFor } from "../exec/sandbox.ts";
import type { VerifyRunner } from "../exec/verify-runner.ts";
import { collectPrivateGit } from "../git/collect-private.ts";
import { openPrivateGit } from "../git/private-folder.ts";
import { findGit } from "../store/git-files.ts";
import type { RunOptions } from "./options.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** The sandbox and the environment of everything that a run starts. */
export interface Surroundings {
  /** Our sandbox; `own` is the agent's own, if it has one. */
  readonly sandbox: Sandbox | "own" | "none";
  readonly options: Pick<RunOptions, "env" | "writable">;
  /** The environment of whoever started the run. */
  readonly env: Variables;
  /** Folders of our own programs, which have to be readable. */
  readonly programs: readonly string[];
}

/** Refuses if the sandbox is missing: nothing runs without the one that the user asked for. */
export function openSurroundings(
  options: Pick<RunOptions, "env" | "writable" | "sandbox" | "network" | "image">,
  env: Variables,
  programs: readonly string[],
  open: typeof openSandbox = openSandbox,
): Surroundings {
  const { sandbox: kind } = options;
  if (kind === "own" || kind === "none") return { sandbox: kind, options, env, programs };
  const opened = open(kind, options);
  if (opened.kind === "ok") return { sandbox: opened.sandbox, options, env, programs };
  throw new Refusal("refused", `--sandbox ${kind}: ${opened.why}`, opened.fix);
}

/** An agent's environment, with the variables of its attempt, and the container around it. */
export function surroundAgent(
  surroundings: Surroundings,
  agent: string,
  cwd: string,
  own: Readonly<Record<string, string>>,
): Surrounded {
  const env = {
    ...planAgentEnvironment(agent, surroundings.env, surroundings.options.env),
    ...own,
  };
  const { sandbox } = surroundings;
  if (sandbox === "own") return { env };
  // A wrapped agent does not use its own sandbox, so this wrapper does nothing.
  if (sandbox === "none") return { env, wrap: (command) => command };
  const folders = planAgentFolders(agent, surroundings.env);
  const found = findGit(cwd);
  if (found === undefined) return { env, wrap: wrapAt(surroundings, sandbox, cwd, folders) };
  const { top } = found;
  // What an agent of a killed run left.
  collectPrivateGit(top, { isLive: false });
  const git = openPrivateGit(found);
  return {
    env,
    wrap: wrapAt(surroundings, sandbox, cwd, { ...folders, git }),
    collect: () => collectPrivateGit(top, { isLive: true }),
  };
}

/** `collect` brings the agent's commits out of its sandbox, when it is gone. It returns what the user should know. */
export interface Surrounded extends Pick<Work, "env" | "wrap"> {
  readonly collect?: () => string | undefined;
}

/**
 * Runs a task's Verify in the environment of an agent, because the code that it runs is the agent's. `own` has the
 * run's mark, which identifies processes that a command left behind.
 */
export function surroundVerify(
  surroundings: Surroundings,
  own: Readonly<Record<string, string>> = {},
): VerifyRunner {
  const { sandbox } = surroundings;
  return makeLocalRunner({
    // PATH and the like come from the shell that started the run, which may be a different one.
    env: (env) => ({ ...planAgentEnvironment(undefined, env, surroundings.options.env), ...own }),
    ...(typeof sandbox === "string"
      ? {}
      : { wrap: (root) => wrapAt(surroundings, sandbox, root, NO_FOLDERS) }),
  });
}

const NO_FOLDERS = { writable: [], readOnly: [] };

function wrapAt(
  { options, env: outer, programs }: Surroundings,
  sandbox: Sandbox,
  cwd: string,
  folders: Pick<SandboxPlace, "writable" | "readOnly" | "git">,
): Wrap {
  const home = outer["HOME"] ?? "/";
  return wrapperFor(sandbox, {
    cwd,
    home,
    writable: [
      ...folders.writable,
      ...options.writable.map((path) => path.replace(/^~(?=\/)/, () => home)),
    ],
    readOnly: folders.readOnly,
    git: folders.git,
    readable: programs,
  });
}
