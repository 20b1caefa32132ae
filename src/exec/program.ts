import { existsSync } from "node:fs";
import { win32 } from "node:path";

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Finds a program by name. Windows looks in the current folder first, which is the project's: a `git.exe` that someone
 * committed there would run. So only PATH is searched. Undefined if the program is not there.
 */
export function planProgram(
  name: string,
  platform: string,
  env: Environment,
  exists: (path: string) => boolean,
): string | undefined {
  if (platform !== "win32") return name;
  return foldersOnPath(env)
    .map((folder) => win32.join(folder, `${name}.exe`))
    .find(exists);
}

export const findProgram = (name: string): string | undefined =>
  planProgram(name, process.platform, process.env, existsSync);

/** For Windows. A relative folder would be in the project, and is left out. */
export const foldersOnPath = (env: Environment): string[] =>
  (readVariable(env, "PATH") ?? "")
    .split(";")
    .map((folder) => folder.replaceAll('"', "").trim())
    .filter((folder) => win32.isAbsolute(folder));

/** Windows ignores the case of variable names: `Path` is `PATH`. */
export function readVariable(env: Environment, name: string): string | undefined {
  const key = Object.keys(env).find((one) => one.toUpperCase() === name.toUpperCase());
  return (key === undefined ? undefined : env[key]) || undefined;
}
