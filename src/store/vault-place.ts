import { realpathSync } from "node:fs";
import { join } from "node:path";
import { statOf } from "./read.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * A folder of the user's own, outside of every project: what lies here was begun on this machine. It holds, for each
 * spec, the record of its run, the copy of the journal that counts, and the commands that the user agreed to.
 */
export function planVault(env: Environment, platform: string): string | undefined {
  const isAbsolute = (path: string): boolean => /^(?:\/|[A-Za-z]:[/\\])/.test(path);
  const [variable, ...below] =
    platform === "win32" ? ["LOCALAPPDATA"] : ["HOME", ".local", "state"];
  const home = env[variable as string] ?? "";
  const stated = env["XDG_STATE_HOME"] ?? "";
  if (isAbsolute(stated)) return join(stated, "smart-ralph");
  return isAbsolute(home) ? join(home, ...below, "smart-ralph") : undefined;
}

export type Vault =
  | { readonly kind: "ok"; readonly folder: string }
  /** What others may write to proves nothing. */
  | { readonly kind: "shared"; readonly folder: string }
  | { readonly kind: "none" };

export function findVault(): Vault {
  const folder = planVault(process.env, process.platform);
  if (folder === undefined) return { kind: "none" };
  return { kind: isPrivate(folder) ? "ok" : "shared", folder };
}

export function vaultFolder(): string | undefined {
  const vault = findVault();
  return vault.kind === "ok" ? vault.folder : undefined;
}

/** One that is not there yet will be the user's. */
function isPrivate(folder: string): boolean {
  const uid = process.getuid?.();
  const stat = uid === undefined ? undefined : statOf(folder);
  return stat === undefined || ((stat.uid === uid || uid === 0) && (stat.mode & 0o022) === 0);
}

/** A folder of some project, as it is called in the vault: by its whole real path. */
export function placeOf(folder: string): string | undefined {
  const base = vaultFolder();
  return base === undefined ? undefined : mirrored(base, realOf(folder));
}

export const mirrored = (base: string, real: string): string =>
  join(base, "at", process.platform === "win32" ? real.replace(/[:*?"<>|]/g, "_") : real);

/** By the folder it was in, if that is gone. */
export function realOf(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    return folder;
  }
}

export const isSameFolder = (one: string, other: string): boolean => realOf(one) === realOf(other);

/** Any text as the name of a file, on any system. */
export const fileName = (text: string): string =>
  text.replace(/[^\w-]/g, (unit) => `%${unit.charCodeAt(0).toString(16)}`).slice(0, 200);
