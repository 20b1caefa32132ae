import { join } from "node:path";
import { findGit, pinTop } from "../store/git-files.ts";
import { findProjectWithSpecs, type Project } from "../store/project.ts";
import { namesIn, listSpecs, type Spec } from "../store/spec.ts";
import { isSameFolder, vaultFolder } from "../store/vault-place.ts";
import type { Request } from "./request.ts";
import { listAllSpecs } from "./resolve-spec.ts";
import { resolveProject } from "./resolve-spec.ts";

/** More than anyone has. */
const MAX_TREES = 200;

/** The work trees of runs in this project's repository, on or stopped: the truth about their specs is there. */
function listRunTrees({ root }: Pick<Project, "root">): string[] {
  const vault = vaultFolder();
  const git = findGit(root);
  if (vault === undefined || git === undefined) return [];
  const trees = join(vault, "trees");
  return namesIn(trees)
    .flatMap((name) => namesIn(join(trees, name)).map((tree) => join(trees, name, tree)))
    .slice(0, MAX_TREES)
    .filter((tree) => {
      pinTop(tree);
      const own = findGit(tree);
      return (
        own !== undefined && isSameFolder(own.common, git.common) && isSameFolder(own.top, tree)
      );
    });
}

/** Every spec of the project, and those in work trees of runs. */
export function listSpecsEverywhere(
  request: Request,
  trees: readonly string[] = listRunTrees(resolveProject(request)),
): Spec[] {
  const elsewhere = trees.flatMap((tree) =>
    request.editions.flatMap((edition) => {
      const project = findProjectWithSpecs(edition, [tree]);
      return project === undefined ? [] : listSpecs(project);
    }),
  );
  const seen = new Set<string>();
  return [...listAllSpecs(request), ...elsewhere].filter(
    ({ folder }) => !seen.has(folder) && seen.add(folder),
  );
}
