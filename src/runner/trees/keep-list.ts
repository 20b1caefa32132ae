import { join } from "node:path";
import { rewriteWithout } from "../../git/drop-files.ts";
import { headOf } from "../../git/own-tree.ts";
import { namesOf, runGit } from "../../git/run.ts";
import { findGit } from "../../store/git-files.ts";
import { readProjectFile, writeProjectFile } from "../../store/project-file.ts";
import { MAX_BYTES } from "../../store/read.ts";
import { readAllEntries } from "../../store/spec-files.ts";
import type { Spec } from "../../store/spec.ts";
import { isSameFolder } from "../../store/vault-place.ts";
import { bookkeepingIn } from "./spec-files.ts";
import type { Trunk } from "./trunk.ts";

/**
 * Remembers the list of tasks while an agent works in the run's own tree. Agents may change the plan with our commands,
 * which the journal records. The returned function restores the list if the agent edited boxes or commands by hand, and
 * says whether it did.
 */
export function keepList(spec: Spec): () => boolean {
  const { project, tasks: path } = spec;
  const before = readProjectFile(project, path, MAX_BYTES.tasks);
  const known = readAllEntries(spec).length;
  return () => {
    if (before.kind !== "ok" || readAllEntries(spec).length !== known) return false;
    const now = readProjectFile(project, path, MAX_BYTES.tasks);
    if (now.kind === "ok" && now.text === before.text) return false;
    writeProjectFile(project, path, before.text, before.encoding);
    return true;
  };
}

/**
 * Rewrites what an agent has committed since `base` without the list of tasks and the run's records, which are never a
 * task's work: nobody takes an edit of theirs under a task's name. Notes may be committed with the work. Returns why
 * that failed, if it did.
 */
export function dropListEdits({ spec, top, branch }: Trunk, base: string): string | undefined {
  const git = findGit(top);
  const before = headOf(top);
  if (git === undefined || before === undefined || before === base) return undefined;
  const isOurs = bookkeepingIn(spec);
  const isNotes = (name: string): boolean => isSameFolder(join(top, name), spec.progress);
  const rewritten = rewriteWithout(git, branch, base, (name) => isOurs(name) && !isNotes(name));
  if ("why" in rewritten) return rewritten.why;
  const { head } = rewritten;
  if (head === before) return undefined;
  const { out } = runGit(top, ["diff", "--name-only", "-z", "--no-renames", before, head, "--"]);
  const { ok, err } = runGit(top, ["reset", "--quiet", head, "--", ...namesOf(out)]);
  return ok ? undefined : err.trim();
}

export const tellPutBack = (id: string): string =>
  `the agent of ${id} changed the list of tasks by hand; the list was restored`;
