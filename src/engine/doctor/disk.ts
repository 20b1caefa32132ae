import { readFree } from "../../store/free-space.ts";
import { findVault } from "../../store/vault-place.ts";
import { type Diagnostic, findingsAbout } from "../../text/diagnostic.ts";
import { formatSize } from "../../text/quantity.ts";

/** Where a run writes, and how many bytes are free there. */
export interface Space {
  readonly path: string;
  readonly free: number;
}

/** The project with its repository, and the user's own folder with the work trees of runs. */
export function readSpaces(root: string, free = readFree): Space[] {
  const vault = findVault();
  const places = vault.kind === "none" ? [root] : [root, vault.folder];
  return places.map((path) => ({ path, free: free(path) ?? Infinity }));
}

/** The one with the least room, if that is too little for an agent to start. */
export const findFull = (spaces: readonly Space[], minFree: number): Space | undefined =>
  spaces.toSorted((a, b) => a.free - b.free).find(({ free }) => free < minFree);

export const describeFull = ({ path, free }: Space, minFree: number): string =>
  `only ${formatSize(free)} are free at ${path}, and run_min_free is ${formatSize(minFree)}`;

export function checkDisk(spaces: readonly Space[], minFree: number): Diagnostic[] {
  const { ok, error } = findingsAbout("disk");
  const full = findFull(spaces, minFree);
  const fix = "free some space, or set run_min_free in your settings";
  if (full !== undefined) return [error(describeFull(full, minFree), fix)];
  const least = Math.min(...spaces.map(({ free }) => free));
  return Number.isFinite(least) ? [ok(`${formatSize(least)} are free on the disk`)] : [];
}
