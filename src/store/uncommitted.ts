import { basename } from "node:path";
import { namesOf, runGit } from "./git-run.ts";
import type { Spec } from "./spec.ts";

/**
 * Files of the spec that git tracks and that have changed since the last commit. Boxes in tasks.md are ours to tick, and
 * in .progress.md we and every executor of a group write at any time: no agent could answer for those.
 */
export function readUncommitted(spec: Spec): string[] {
  const { ok, out } = runGit(spec.folder, [
    "status",
    "--porcelain=v1",
    "-z",
    "--untracked-files=no",
    "--no-renames",
    "--",
    ".",
  ]);
  if (!ok) return [];
  const shared = new Set([basename(spec.tasks), basename(spec.progress)]);
  return namesOf(out)
    .map((entry) => entry.slice(3))
    .filter((path) => !shared.has(basename(path)));
}
