import { planAgentEnvironment } from "../agents/environment.ts";
import { planAgentFolders } from "../agents/folders.ts";
import type { Work } from "../agents/port.ts";
import { Refusal } from "../engine/refusal.ts";
import { makeLocalRunner } from "../exec/local-runner.ts";
import type { Wrap } from "../exec/sandbox-argv.ts";
import { openSandbox, type Sandbox, type SandboxPlace, wrapperFor } from "../exec/sandbox.ts";
import type { VerifyRunner } from "../exec/verify-runner.ts";
import type { RunOptions } from "./options.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** What everything that a run starts has around it. */
export interface Ground {
  /** Ours around it; otherwise its own, where it has one, or none at all. */
  readonly sandbox: Sandbox | "own" | "none";
  readonly options: Pick<RunOptions, "env" | "writable">;
  /** The environment of whoever started the run. */
  readonly env: Variables;
  /** Folders of programs that have to be there: our own. */
  readonly programs: readonly string[];
}

/** Refuses if the sandbox cannot be had: nothing ever runs without the one that was asked for. */
export function openGround(
  options: Pick<RunOptions, "env" | "writable" | "sandbox" | "network" | "image">,
  env: Variables,
  programs: readonly string[],
  open: typeof openSandbox = openSandbox,
): Ground {
  const { sandbox: kind } = options;
  if (kind === "own" || kind === "none") return { sandbox: kind, options, env, programs };
  const opened = open(kind, options);
  if (opened.kind === "ok") return { sandbox: opened.sandbox, options, env, programs };
  throw new Refusal("refused", `--sandbox ${kind}: ${opened.why}`, opened.fix);
}

/** The environment of an agent with the variables of its attempt, and the container around it. */
export function surroundAgent(
  ground: Ground,
  agent: string,
  cwd: string,
  own: Readonly<Record<string, string>>,
): Pick<Work, "env" | "wrap"> {
  const env = { ...planAgentEnvironment(agent, ground.env, ground.options.env), ...own };
  const { sandbox } = ground;
  if (sandbox === "own") return { env };
  // Whoever is wrapped need not wrap itself.
  if (sandbox === "none") return { env, wrap: (command) => command };
  return { env, wrap: wrapAt(ground, sandbox, cwd, planAgentFolders(agent, ground.env)) };
}

/**
 * Runs the Verify of a task with what an agent would have: the code that it runs is the agent's. `own` has the mark of
 * the run, by which what is left of a command is found.
 */
export function surroundVerify(
  ground: Ground,
  own: Readonly<Record<string, string>> = {},
): VerifyRunner {
  const { sandbox } = ground;
  return makeLocalRunner({
    // PATH and the like are those of whoever started the run, which may be another shell.
    env: (env) => ({ ...planAgentEnvironment(undefined, env, ground.options.env), ...own }),
    ...(typeof sandbox === "string"
      ? {}
      : { wrap: (root) => wrapAt(ground, sandbox, root, NO_FOLDERS) }),
  });
}

const NO_FOLDERS = { writable: [], readOnly: [] };

function wrapAt(
  { options, env: outer, programs }: Ground,
  sandbox: Sandbox,
  cwd: string,
  folders: Pick<SandboxPlace, "writable" | "readOnly">,
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
    readable: programs,
  });
}
