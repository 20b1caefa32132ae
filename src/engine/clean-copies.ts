import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import type { CleanTree } from "../git/clean-tree.ts";
import { isSameOrBelow } from "../store/containment.ts";
import { findGit } from "../store/git-files.ts";
import type { Project } from "../store/project.ts";
import { type Spec, specAt } from "../store/spec.ts";
import { realPathOf } from "../store/vault-place.ts";

/** Where a project is in its repository. */
export const withinRepository = ({ root }: Pick<Project, "root">): string =>
  relative(realPathOf(findGit(root)?.top ?? root), realPathOf(root));

/** The same project in a clean work tree, with the settings that count here. */
export function projectIn({ top }: CleanTree, project: Project): Project {
  const root = join(top, withinRepository(project));
  const there = (path: string): string => join(root, relative(project.root, path));
  const inside = project.specsDirs.filter((folder) => isSameOrBelow(folder, project.root));
  const [first = join(root, project.layout.specsDirs[0]), ...others] = inside.map(there);
  return {
    ...project,
    root,
    outside: [],
    specsDirs: [first, ...others],
    pointer: there(project.pointer),
  };
}

/** The same spec there; undefined if it is not committed. */
export function specIn(copy: Project, { folder, project }: Spec): Spec | undefined {
  if (!isSameOrBelow(folder, project.root)) return undefined;
  const there = join(copy.root, relative(project.root, folder));
  return existsSync(there) ? specAt(copy, there) : undefined;
}
