import type { Stats } from "node:fs";
import type { Grounds } from "./containment.ts";
import { statOf } from "./read.ts";

type Owned = Pick<Stats, "uid">;

const ROOT = 0;

/** Undefined on Windows, where files have no such owners. */
const currentUser = (): number | undefined => process.getuid?.();

/**
 * Why not to trust a file: it belongs neither to us, nor to the owner of the project, nor to root. Root in a container
 * works on files of the user whose project it is, so the owner of the project counts.
 */
export function whyNotOurs(project: Grounds, stat: Owned): string | undefined {
  const user = currentUser();
  if (user === undefined || stat.uid === user || stat.uid === ROOT) return undefined;
  const isProjects = [project.root, ...project.outside].some(
    (folder) => statOf(folder)?.uid === stat.uid,
  );
  return isProjects ? undefined : `it belongs to user ${stat.uid} of this machine`;
}

/** A test whether a folder above `start` belongs to someone other than us or the owner of `start`. */
export function foreignAbove(start: string): (folder: string) => boolean {
  const user = currentUser();
  if (user === undefined) return () => false;
  const own = new Set([user, statOf(start)?.uid]);
  return (folder) => {
    const owner = statOf(folder)?.uid;
    return owner !== undefined && !own.has(owner);
  };
}

const OTHERS_WRITE = 0o002;
const GROUP_WRITES = 0o020;

/** Why a file that only the user should be able to write does not count. */
export function whyNotPrivate({ uid, gid, mode }: Stats): string | undefined {
  const user = currentUser();
  if (user === undefined) return undefined;
  if (uid !== user && uid !== ROOT) return `it belongs to user ${uid} of this machine`;
  if ((mode & OTHERS_WRITE) !== 0) return "other users may write it";
  // Many systems give every user a group of their own, with the same number.
  return (mode & GROUP_WRITES) !== 0 && gid !== uid ? "its group may write it" : undefined;
}
