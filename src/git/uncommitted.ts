import { basename } from "node:path";
import { namesOf, runGit } from "./run.ts";
import { aroundSpec } from "./spec-repository.ts";
import type { Spec } from "../store/spec.ts";

/**
 * Files of the spec that git tracks and that have changed since the last commit. Boxes in tasks.md are ours to tick, the
 * state and the journal are ours to write, should somebody track them, and in .progress.md we and every executor of a group
 * write at any time: no agent could answer for those.
 */
export function readUncommitted(spec: Spec): string[] {
  const { above, within } = aroundSpec(spec);
  const { ok, out } = runGit(above, [
    "status",
    "--porcelain=v1",
    "-z",
    "--untracked-files=no",
    "--no-renames",
    "--ignore-submodules=dirty",
    "--",
    within("."),
  ]);
  if (!ok) return [];
  const own = [spec.tasks, spec.progress, spec.state, spec.journal, spec.lock];
  const shared = new Set(own.map((path) => basename(path)));
  return namesOf(out)
    .map((entry) => entry.slice(3))
    .filter((path) => !shared.has(basename(path)));
}
