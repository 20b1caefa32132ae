import { basename } from "node:path";
import type { Spec } from "../store/spec.ts";
import { namesOf, runGit } from "./run.ts";
import { locateSpec } from "./spec-repository.ts";

/**
 * Tracked files of the spec that have changed since the last commit, except those that no single agent is responsible
 * for: we tick boxes in tasks.md and write the state and the journal, and every executor writes to .progress.md.
 */
export function readUncommitted(spec: Spec): string[] {
  const { above, within } = locateSpec(spec);
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
