import { readlinkSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { isSameOrBelow } from "../store/containment.ts";
import { isLink } from "../store/read.ts";
import { realPathOf } from "../store/vault-place.ts";
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
  const real = realPathOf(top);
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

/** No more than a system follows. */
const MAX_HOPS = 40;

/**
 * Where a link leads in the end, even if nothing is there. A link that comes back from outside, or that names this very
 * folder, leads outside too: a clone does not have that way.
 */
function follow(top: string, name: string): StrayLink[] {
  let end = join(top, name);
  if (!isLink(end)) return [];
  let isOutside = false;
  for (let hops = 0; hops < MAX_HOPS && isLink(end); hops++) {
    const text = readlinkSync(end);
    end = resolve(realPathOf(dirname(end)), text);
    isOutside ||= isAbsolute(text) || !isSameOrBelow(end, top);
  }
  end = realPathOf(end);
  isOutside ||= !isSameOrBelow(end, top);
  return [{ name, target: isOutside ? end : relative(top, end).split(sep).join("/"), isOutside }];
}
