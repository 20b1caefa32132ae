import { realpathSync } from "node:fs";
import { join } from "node:path";
import type { Project } from "./project.ts";
import { statOf } from "./read.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The user's own folder, outside of every project: what is in it was started on this machine. For each spec it has the
 * record of its run, the copy of the journal that counts, and the commands that the user agreed to.
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
  /** Others may write to it, so what is in it proves nothing. */
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

/** One that does not exist yet will belong to the user. */
function isPrivate(folder: string): boolean {
  const uid = process.getuid?.();
  const stat = uid === undefined ? undefined : statOf(folder);
  return stat === undefined || ((stat.uid === uid || uid === 0) && (stat.mode & 0o022) === 0);
}

/** Where the vault keeps what belongs to a project's folder: under its whole real path. */
export function findVaultPlace(folder: string): string | undefined {
  const base = vaultFolder();
  return base === undefined ? undefined : mirrorPath(base, realPathOf(folder));
}

export const mirrorPath = (base: string, real: string): string =>
  join(base, "at", process.platform === "win32" ? real.replace(/[:*?"<>|]/g, "_") : real);

/** The path itself, if there is nothing. */
export function realPathOf(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    return folder;
  }
}

export const isSameFolder = (one: string, other: string): boolean =>
  realPathOf(one) === realPathOf(other);

/** Turns any text into a file name that works on any system. */
export const encodeFileName = (text: string): string =>
  text.replace(/[^\w-]/g, (unit) => `%${unit.charCodeAt(0).toString(16)}`).slice(0, 200);

/**
 * The pointer is one for all, so the last session to start a spec would take it from the others. Each session's own
 * choice is kept here, where nothing but the user's commands writes it.
 */
export const choicesFolder = ({ root, layout }: Project): string | undefined => {
  const place = findVaultPlace(root);
  return place === undefined ? undefined : join(place, `.${layout.id}-sessions`);
};
