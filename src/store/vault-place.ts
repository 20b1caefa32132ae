import { realpathSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import { orElse } from "../text/or-else.ts";
import { isSameOrBelow } from "./containment.ts";
import { findGit } from "./git-files.ts";
import type { Project } from "./project.ts";
import { isLink, statOf } from "./read.ts";

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
  const folder = planVault(trustedEnvironment(), process.platform);
  if (folder === undefined) return { kind: "none" };
  return { kind: isPrivate(folder) ? "ok" : "shared", folder };
}

/** The vault, or a folder in it; undefined if there is none that is the user's own. */
export function vaultFolder(...below: readonly string[]): string | undefined {
  const vault = findVault();
  return vault.kind === "ok" ? join(vault.folder, ...below) : undefined;
}

/**
 * Some clients read a `.env` file of the project into their environment, and with it where the user's files are. What
 * lies in the project is not the user's own, unless the whole home does. A path below `/proc` can mean any project.
 */
function trustedEnvironment(): Environment {
  // Every stop asks, and copying the environment takes longer than the rest.
  const stated = process.env["XDG_STATE_HOME"] ?? "";
  if (stated === "") return process.env;
  const { XDG_STATE_HOME: _, ...rest } = process.env;
  // As it will be used, which is without `..`: a path that the system would read differently must not pass.
  const path = normalize(stated);
  if (path.startsWith("/proc/")) return rest;
  // The folder may be gone.
  const cwd = realPathOf(".");
  const tops = [cwd, findGit(cwd)?.top ?? cwd];
  const isInside = (folder: string): boolean => tops.some((top) => isSameOrBelow(folder, top));
  return isInside(realPathAbove(path)) && !isInside(realPathOf(homeFolder() ?? "/"))
    ? rest
    : process.env;
}

export const homeFolder = (): string | undefined =>
  process.env["HOME"] ?? process.env["USERPROFILE"];

/** Of what does not exist yet: where it would be. */
export const realPathAbove = (path: string): string =>
  statOf(path) !== undefined || dirname(path) === path
    ? realPathOf(path)
    : join(realPathAbove(dirname(path)), basename(path));

/** One that does not exist yet will belong to the user. */
function isPrivate(folder: string): boolean {
  const uid = process.getuid?.();
  const stat = uid === undefined ? undefined : statOf(folder);
  return stat === undefined || ((stat.uid === uid || uid === 0) && (stat.mode & 0o022) === 0);
}

/** Where the vault keeps what belongs to a project's folder: under its whole real path. */
export function findVaultPlace(folder: string): string | undefined {
  const base = vaultFolder();
  if (base === undefined || isLink(join(base, AT))) return undefined;
  const real = realPathOf(folder);
  const place = mirrorPath(base, real);
  // A link in it leads to another vault's records, or to somebody else's.
  const isPlain =
    statOf(place) === undefined || realPathOf(place) === mirrorPath(realPathOf(base), real);
  return isPlain ? place : undefined;
}

/** The folder with everything about projects. */
const AT = "at";

export const mirrorPath = (base: string, real: string): string =>
  join(base, AT, process.platform === "win32" ? real.replace(/[:*?"<>|]/g, "_") : real);

/** The path itself, if there is nothing. */
export const realPathOf = (folder: string): string =>
  orElse(() => realpathSync.native(folder), folder);

export const isSameFolder = (one: string, other: string): boolean =>
  realPathOf(one) === realPathOf(other);

/** Whether two vaults have the same records, whatever is mounted or linked where. */
export function isSameVault(one: string, other: string): boolean {
  const [first, second] = [one, other].map((vault) => statOf(join(vault, AT)));
  const isSame = first !== undefined && first.dev === second?.dev && first.ino === second.ino;
  return isSame || isSameFolder(one, other);
}

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
