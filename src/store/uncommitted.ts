import { basename } from "node:path";
import { runGit } from "./git-run.ts";
import type { Spec } from "./spec.ts";

/** Files of the spec that git tracks and that have changed since the last commit. Boxes in tasks.md are ours to tick. */
export function readUncommitted(spec: Spec): string[] {
  const { ok, out } = runGit(spec.folder, [
    "status",
    "--porcelain=v1",
    "-z",
    "--untracked-files=no",
    "--",
    ".",
  ]);
  if (!ok) return [];
  return out
    .split("\0")
    .map((entry) => entry.slice(3))
    .filter((path) => path !== "" && basename(path) !== basename(spec.tasks));
}
