import { existsSync } from "node:fs";
import { win32 } from "node:path";
import { type Environment, foldersOnPath, valueOf } from "./program.ts";

/** How a command line is run: a program and what it gets, or, without one, whatever node takes for the system's shell. */
export interface Shell {
  readonly file: string | undefined;
  readonly args: readonly string[];
}

/**
 * The shell that a command of `tasks.md` is meant for. On Windows agents have Git's bash, and write for it what cmd.exe
 * cannot read (`test -f x && ! grep …`), so that is the one to take wherever it can be found.
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

/**
 * Where Git's bash may be, the likeliest first. Not by its own name on the path: there `bash` is often the one of
 * System32, which runs in another system with other files.
 */
function planBash(env: Environment, exists: (path: string) => boolean): string[] {
  const told = valueOf(env, "CLAUDE_CODE_GIT_BASH_PATH");
  // `git` is in Git\cmd, and inside of its bash in Git\mingw64\bin as well.
  const beside = foldersOnPath(env)
    .filter((folder) => exists(win32.join(folder, "git.exe")))
    .flatMap((folder) => ["..", "..\\.."].map((up) => win32.join(folder, up)));
  const usual = [
    ["ProgramFiles", "Git"],
    ["ProgramFiles(x86)", "Git"],
    ["LOCALAPPDATA", "Programs\\Git"],
  ].flatMap(([name, below]) => {
    const folder = valueOf(env, name as string);
    return folder === undefined ? [] : [win32.join(folder, below as string)];
  });
  const found = [...beside, ...usual].map((folder) => win32.join(folder, "bin", "bash.exe"));
  return [...new Set([...(told === undefined ? [] : [told]), ...found])];
}
