import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { statOf } from "../store/read.ts";
import { type Environment, planProgram } from "./program.ts";

/** Variables that decide which programs or code a command really runs. */
const STEERING = new RegExp(
  `^(?:${[
    "PATH|SHELL|COMSPEC|\\w+_GIT_BASH_PATH|ENV|BASH_ENV|BASH_FUNC_.*",
    "LD_PRELOAD|LD_AUDIT|LD_LIBRARY_PATH|DYLD_.*",
    "GIT_CONFIG.*|GIT_EXEC_PATH",
    "NODE_OPTIONS|NODE_PATH|npm_config_.*",
    "PYTHONPATH|PYTHONSTARTUP|PYTEST_ADDOPTS",
    "PERL5OPT|PERL5LIB|RUBYOPT|RUBYLIB|JAVA_TOOL_OPTIONS",
    "MAKEFLAGS|RUSTC_WRAPPER|RUSTFLAGS|GOFLAGS",
  ].join("|")})$`,
  "i",
);

/** Taken from the user's own command and kept for the whole run. */
export const pickSteering = (env: Environment): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).filter(
      (pair): pair is [string, string] => STEERING.test(pair[0]) && pair[1] !== undefined,
    ),
  );

/** Git sets these for its hooks. They would make git use another repository than the one in its folder. */
const GIT_REDIRECTS = [
  "GIT_DIR",
  "GIT_WORK_TREE",
  "GIT_COMMON_DIR",
  "GIT_INDEX_FILE",
  "GIT_OBJECT_DIRECTORY",
  "GIT_ALTERNATE_OBJECT_DIRECTORIES",
  "GIT_NAMESPACE",
  "GIT_PREFIX",
  "GIT_EXTERNAL_DIFF",
] as const;

/** The environment of a Verify, and of git. It has the user's PATH: an agent may have put fake programs first in its own. */
export function planVerifyEnvironment(
  env: Environment,
  users: Readonly<Record<string, string>> | undefined,
): NodeJS.ProcessEnv {
  const own: NodeJS.ProcessEnv = { ...env };
  for (const name of GIT_REDIRECTS) delete own[name];
  if (users === undefined) return own;
  const others = Object.entries(own).filter(([name]) => !STEERING.test(name));
  return { ...Object.fromEntries(others), ...users };
}

/** The file that a command's first word runs; undefined for shell built-ins and for what is not a plain word. */
export function resolveProgram(
  command: string,
  { PATH = "" }: NodeJS.ProcessEnv,
): string | undefined {
  const [word = ""] = /^[\w./+@:-]+(?=\s|$)/.exec(command.trim()) ?? [];
  return word === "" || word.includes("/") ? undefined : findOnPath(word, PATH);
}

/** The program that a name means in this environment, which may differ from ours. Never in the current folder. */
export const locateProgram = (name: string, env: Environment): string | undefined =>
  process.platform === "win32"
    ? planProgram(name, "win32", env, existsSync)
    : findOnPath(name, env["PATH"] ?? "");

const findOnPath = (name: string, path: string): string | undefined =>
  path
    .split(delimiter)
    .filter(isAbsolute)
    .map((folder) => join(folder, name))
    .find(isProgram);

function isProgram(path: string): boolean {
  if (statOf(path)?.isFile() !== true) return false;
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
