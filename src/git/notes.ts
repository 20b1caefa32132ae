import { basename, dirname, join } from "node:path";
import { withoutStanding } from "../run/progress-standing.ts";
import { readDocument } from "../store/documents.ts";
import type { Spec } from "../store/spec.ts";
import { realPathOf } from "../store/vault-place.ts";
import type { Repository } from "./repository.ts";
import { runGit } from "./run.ts";

/**
 * Whether a changed file is the spec's notes and differs from the last commit only in our own lines. If so, nobody has
 * to commit it.
 */
export function isOnlyStanding(spec: Spec, { git }: Repository, name: string): boolean {
  const file = basename(spec.progress);
  if (basename(name) !== file || dirname(join(git.top, name)) !== realPathOf(spec.folder))
    return false;
  const old = runGit(git.top, ["show", `HEAD:${name}`]);
  const now = readDocument(spec, file);
  return old.ok && now.kind === "ok" && withoutStanding(old.out) === withoutStanding(now.text);
}
