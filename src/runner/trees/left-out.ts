import { join } from "node:path";
import { isEpicHome } from "../../engine/trunk-record.ts";
import { findRepository } from "../../git/repository.ts";
import { readWorkTree } from "../../git/working-tree.ts";
import { isSameOrBelow } from "../../store/containment.ts";
import { findGit } from "../../store/git-files.ts";
import type { Spec } from "../../store/spec.ts";

/** The user's uncommitted files that are not brought along. */
export function readLeftOut(home: Spec): string[] {
  const git = findGit(home.project.root);
  const tree = git && readWorkTree(git.top, { untracked: true });
  const isOwn = planOwn(home);
  return [...(tree?.dirty ?? []), ...(tree?.untracked ?? [])].filter((one) => !isOwn(one));
}

/** Tells which uncommitted files are brought along: the spec's own or, with an epic, all specs'. */
function planOwn(home: Spec): (name: string) => boolean {
  const repository = findRepository(home);
  if (repository === undefined) return () => false;
  const { isOwn, git } = repository;
  const specs = isEpicHome(home) ? home.project.specsDirs : [];
  return (name) => isOwn(name) || specs.some((one) => isSameOrBelow(join(git.top, name), one));
}
