import { join, relative } from "node:path";
import type { Repository } from "../git/repository.ts";
import { findLink, listChangedLinks, listStrayLinks, type StrayLink } from "../git/stray-links.ts";
import { planNames, slashed, touched, type Unread } from "../git/working-tree.ts";
import type { Checkpoint } from "../run/undo.ts";
import type { Spec } from "../store/spec.ts";
import { realPathOf } from "../store/vault-place.ts";

/** The links that were made or changed since a task began: committed, not yet committed, or named in its Files. */
export function findLinks(
  spec: Spec,
  { git: { top }, isOwn }: Repository,
  {
    since,
    names,
    files,
    covers,
    untracked,
  }: {
    readonly since: Checkpoint | undefined;
    readonly names: readonly string[];
    readonly files: readonly string[];
    readonly covers: (name: string) => boolean;
    readonly untracked: boolean;
  },
): StrayLink[] | Unread {
  const below = slashed(relative(top, realPathOf(spec.project.root)));
  const inTop = (name: string): string => slashed(join(below, name));
  const changed = since === undefined ? [] : listChangedLinks(top, since.commit);
  if ("unread" in changed) return changed;
  const listed = files
    .map((name) => findLink(top, inTop(name)))
    .filter((name) => name !== undefined)
    .filter((name) => since !== undefined && touched(join(top, name), since.at));
  const shown = planNames(top, spec.project.root);
  const made = [...changed, ...names.map(inTop)].filter(
    (name) => !isOwn(name) && covers(shown(name)),
  );
  const links = listStrayLinks(top, [...new Set([...made, ...listed])], { untracked });
  return "unread" in links ? links : links.map((one) => ({ ...one, name: shown(one.name) }));
}
