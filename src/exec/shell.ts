import { existsSync } from "node:fs";
import { win32 } from "node:path";
import { type Environment, foldersOnPath, readVariable } from "./program.ts";

/** How to run a command line: a program and its arguments, or, without a program, node's default shell. */
export interface Shell {
  readonly file: string | undefined;
  readonly args: readonly string[];
}

/**
 * The shell that a command of `tasks.md` is meant for. On Windows agents use Git's bash, and write commands that cmd.exe
 * does not understand (`test -f x && ! grep …`), so bash is used if it can be found.
 */
export function planShell(
  command: string,
  platform: string,
  env: Environment,
  exists: (path: string) => boolean,
): Shell {
  if (platform !== "win32") return { file: "/bin/sh", args: ["-c", command] };
  const bash = planBash(env, exists).find(exists);
  return bash === undefined ? { file: undefined, args: [] } : { file: bash, args: ["-c", command] };
}

export const readShell = (command: string, env: Environment): Shell =>
  planShell(command, process.platform, env, existsSync);

/** Clients have their own variable for it, such as `<CLIENT>_GIT_BASH_PATH`. */
const statedBash = (env: Environment): string | undefined =>
  Object.entries(env).find(([name, value]) => /_GIT_BASH_PATH$/i.test(name) && value)?.[1];

/**
 * Where Git's bash may be, the likeliest first. Not `bash` on the path: that is often the one in System32, which runs in
 * another system with other files.
 */
function planBash(env: Environment, exists: (path: string) => boolean): string[] {
  const stated = statedBash(env);
  // `git` is in Git\cmd, and inside its bash also in Git\mingw64\bin.
  const beside = foldersOnPath(env)
    .filter((folder) => exists(win32.join(folder, "git.exe")))
    .flatMap((folder) => ["..", "..\\.."].map((up) => win32.join(folder, up)));
  const usual = [
    ["ProgramFiles", "Git"],
    ["ProgramFiles(x86)", "Git"],
    ["LOCALAPPDATA", "Programs\\Git"],
  ].flatMap(([name, below]) => {
    const folder = readVariable(env, name as string);
    return folder === undefined ? [] : [win32.join(folder, below as string)];
  });
  const found = [...beside, ...usual].map((folder) => win32.join(folder, "bin", "bash.exe"));
  return [...new Set([...(stated === undefined ? [] : [stated]), ...found])];
}
