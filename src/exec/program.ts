import { existsSync } from "node:fs";
import { win32 } from "node:path";

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The program that a name means. Windows looks for it in the current folder first, and that is the project's: a
 * `git.exe` which somebody committed there would run. So it is looked for on the path alone. Undefined: not there.
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

/** Of Windows. One that is not absolute would be a folder of the project. */
export const foldersOnPath = (env: Environment): string[] =>
  (valueOf(env, "PATH") ?? "")
    .split(";")
    .map((folder) => folder.replaceAll('"', "").trim())
    .filter((folder) => win32.isAbsolute(folder));

/** Windows does not care how the name of a variable is written: `Path` is as good as `PATH`. */
export function valueOf(env: Environment, name: string): string | undefined {
  const key = Object.keys(env).find((one) => one.toUpperCase() === name.toUpperCase());
  return (key === undefined ? undefined : env[key]) || undefined;
}
