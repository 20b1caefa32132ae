import { dirname, join, relative } from "node:path";
import { findGit, pinTop } from "./git-files.ts";
import { realPathOf } from "./vault-place.ts";

/** Where git finds a repository from the project, the folder of its specs, and the spec's own; relative to the project. */
export function listTops(projectRoot: string, specFolder: string): string[] {
  const root = realPathOf(projectRoot);
  const spec = realPathOf(specFolder);
  const tops = [root, dirname(spec), spec].flatMap((folder) => findGit(folder)?.top ?? []);
  return [...new Set(tops)].map((top) => relative(root, top));
}

/** From now on, no other repository counts below these. */
export function pinTops(root: string, tops: readonly string[]): void {
  for (const top of tops) {
    const [named, real] = [join(root, top), join(realPathOf(root), top)];
    pinTop(real);
    // If a link leads to the project, `..` may be somewhere else.
    if (named !== real && realPathOf(named) === real) pinTop(named);
  }
}
