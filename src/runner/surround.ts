import { planAgentEnvironment } from "../agents/environment.ts";
import { planAgentFolders } from "../agents/folders.ts";
import type { Work } from "../agents/port.ts";
import { Refusal } from "../engine/refusal.ts";
import { makeLocalRunner, type VerifyRunner } from "../exec/local-runner.ts";
import { type Namespace, openNamespace } from "../exec/namespace.ts";
import type { Wrap } from "../exec/sandbox-argv.ts";
import {
  openSandbox,
  type Sandbox,
  type SandboxPlace,
  tryCommand,
  wrapperFor,
} from "../exec/sandbox.ts";
import { collectPrivateGit } from "../git/collect-private.ts";
import { openPrivateGit } from "../git/private-folder.ts";
import { findGit } from "../store/git-files.ts";
import type { RunOptions } from "./options.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** The sandbox and the environment of everything that a run starts. */
export interface Surroundings {
  /** Our sandbox; `own` is the agent's own, if it has one. */
  readonly sandbox: Sandbox | "own" | "none";
  /** Of each agent and each command. Containers bring their own. */
  readonly namespace: Namespace;
  readonly options: Pick<RunOptions, "env" | "writable">;
  /** The environment of whoever started the run. */
  readonly env: Variables;
  /** Folders of our own programs, which have to be readable. */
  readonly programs: readonly string[];
}

/** Refuses if the sandbox is missing: nothing runs without the one that the user asked for. */
export function openSurroundings(
  options: Pick<RunOptions, "env" | "writable" | "sandbox" | "network" | "namespace" | "image">,
  env: Variables,
  programs: readonly string[],
  open: typeof openSandbox = openSandbox,
): Surroundings {
  const { sandbox: kind } = options;
  if (kind === "own" || kind === "none")
    return { sandbox: kind, namespace: openNamespace(options.namespace), options, env, programs };
  const opened = open(kind, options);
  if (opened.kind !== "ok")
    throw new Refusal("refused", `--sandbox ${kind}: ${opened.why}`, opened.fix);
  const { sandbox } = opened;
  const own: Namespace = sandbox.ownPids
    ? { kind: "sandbox", of: kind }
    : { kind: "none", why: `${kind} has no PID namespace here` };
  const namespace = encloseBox(sandbox, options.namespace) ?? own;
  return { sandbox, namespace, options, env, programs };
}

/**
 * Around bwrap too: the first process in bwrap's own PID namespace belongs to the agent's user, and an agent that traces
 * it can make it outlive bwrap.
 */
function encloseBox(sandbox: Sandbox, isWanted: boolean): Namespace | undefined {
  const namespace = sandbox.kind === "bwrap" ? openNamespace(isWanted) : undefined;
  if (namespace?.kind !== "own") return undefined;
  const nothing = { cwd: "/", home: "/", writable: [], readOnly: [], readable: [] };
  const inBox = wrapperFor(sandbox, nothing)(["/bin/sh", "-c", "exit 0"], []);
  return tryCommand(namespace.enclose(inBox)).ok ? namespace : undefined;
}

/** An agent's environment, with the variables of its attempt, and what is around it. */
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
  const { sandbox, namespace } = surroundings;
  const alone = namespace.kind === "own" ? { enclose: namespace.enclose } : {};
  if (sandbox === "own") return { env, ...alone };
  // A wrapped agent does not use its own sandbox, so this wrapper does nothing.
  if (sandbox === "none") return { env, wrap: (command) => command, ...alone };
  const folders = planAgentFolders(agent, surroundings.env);
  const found = findGit(cwd);
  if (found === undefined)
    return { env, wrap: wrapAt(surroundings, sandbox, cwd, folders), ...alone };
  const { top } = found;
  // What an agent of a killed run left.
  collectPrivateGit(top, { isLive: false });
  const git = openPrivateGit(found);
  return {
    env,
    wrap: wrapAt(surroundings, sandbox, cwd, { ...folders, git }),
    ...alone,
    collect: () => collectPrivateGit(top, { isLive: true }),
  };
}

/** `collect` brings the agent's commits out of its sandbox, when it is gone. It returns what the user should know. */
export interface Surrounded extends Pick<Work, "env" | "wrap" | "enclose"> {
  readonly collect?: () => string | undefined;
}

/**
 * Runs a task's Verify in the environment of an agent, because the code that it runs is the agent's. `own` has the
 * run's marks, which identify processes that a command left behind and say that none of them is the user.
 */
export function surroundVerify(
  surroundings: Surroundings,
  own: Readonly<Record<string, string>> = {},
): VerifyRunner {
  const { sandbox, namespace } = surroundings;
  const enclose = namespace.kind === "own" ? namespace.enclose : undefined;
  const wrap = (root: string): Wrap =>
    typeof sandbox === "string"
      ? (command) => command
      : wrapAt(surroundings, sandbox, root, NO_FOLDERS);
  return makeLocalRunner({
    // PATH and the like come from the shell that started the run, which may be a different one.
    env: (env) => ({ ...planAgentEnvironment(undefined, env, surroundings.options.env), ...own }),
    wrap: (root) => (command, names) => {
      const wrapped = wrap(root)(command, names);
      return enclose?.(wrapped) ?? wrapped;
    },
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
