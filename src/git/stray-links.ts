import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { namesOf, reasonIn, runGit } from "./run.ts";
import { listLinks } from "./stage.ts";
import type { Unread } from "./working-tree.ts";

/** A symbolic link to something outside the repository: people who have the commit do not have its target. */
export interface StrayLink {
  readonly name: string;
  /** Relative to the top of the repository, if it is inside. */
  readonly target: string;
  /** Leads out of the repository, through another place, or by an absolute path. */
  readonly isOutside: boolean;
}

/** Symbolic links that are new or changed since a commit. Names are relative to the top of the repository. */
export function listChangedLinks(top: string, since: string): string[] | Unread {
  const how = ["--raw", "-z", "--no-renames", "--no-ext-diff", "--no-textconv"];
  const { ok, out, err } = runGit(top, ["diff", ...how, since, "--"]);
  if (!ok) return { unread: reasonIn(err) };
  const fields = out.split("\0");
  // `:100644 120000 <hash> <hash> T`, then the name.
  return fields.filter((_, i) => /^:\d+ 120000 /.test(fields[i - 1] ?? ""));
}

/** The first part of a path that is a symbolic link, if one is. */
export function findLink(top: string, name: string): string | undefined {
  const parts = name.split("/");
  return parts
    .map((_, i) => parts.slice(0, i + 1).join("/"))
    .find((path) => isLink(join(top, path)));
}

/**
 * The names that are links and lead out of the repository, or to files that git does not track. With `untracked`, a
 * target may be uncommitted, but not ignored.
 */
export function listStrayLinks(
  top: string,
  names: readonly string[],
  { untracked }: { readonly untracked: boolean },
): StrayLink[] | Unread {
  const real = realpathSync(top);
  const links = names.flatMap((name) => follow(real, name));
  const inside = links.filter(({ target, isOutside }) => !isOutside && target !== "");
  if (inside.length === 0) return links.filter(({ isOutside }) => isOutside);
  const which = ["--cached", ...(untracked ? ["--others", "--exclude-standard"] : [])];
  const targets = inside.map(({ target }) => target);
  const { ok, out, err } = runGit(top, ["ls-files", "-z", ...which, "--", ...targets]);
  if (!ok) return { unread: reasonIn(err) };
  const modules = [...listLinks(top)];
  const known = namesOf(out);
  const isKept = (target: string): boolean =>
    target === "" ||
    known.some((one) => isBelow(one, target)) ||
    modules.some((one) => isBelow(target, one));
  return links.filter(({ target, isOutside }) => isOutside || !isKept(target));
}

const isBelow = (name: string, folder: string): boolean =>
  name === folder || name.startsWith(`${folder}/`);

/** The final target of a link, even if nothing is there. */
function follow(top: string, name: string): StrayLink[] {
  const path = join(top, name);
  if (!isLink(path)) return [];
  const end = realOf(path) ?? resolve(realOf(dirname(path)) ?? dirname(path), readlinkSync(path));
  const isOutside = isOut(top, end) || leavesOnTheWay(top, path);
  return [{ name, target: isOutside ? end : relative(top, end).split(sep).join("/"), isOutside }];
}

const isOut = (top: string, path: string): boolean => {
  const way = relative(top, path);
  return way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way);
};

/** No more than a system follows. */
const MAX_HOPS = 40;

/** A link may come back from outside, or name this very folder, which a clone does not have. */
function leavesOnTheWay(top: string, link: string): boolean {
  let path = link;
  for (let hops = 0; hops < MAX_HOPS && isLink(path); hops++) {
    const text = readlinkSync(path);
    path = resolve(realOf(dirname(path)) ?? dirname(path), text);
    if (isAbsolute(text) || isOut(top, path)) return true;
  }
  return false;
}

const isLink = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
